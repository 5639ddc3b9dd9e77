import { Injectable } from '@nestjs/common';
import { isMember, MemberNames } from '../../access/member-names.js';
import { Database } from '../../database/database.js';
import { Problem } from '../../errors/problem.js';
import type { Caller } from '../../http/caller.js';
import type { IdOrSlug } from '../../ids/id-or-slug.js';
import { Schemas } from '../schemas.js';
import type { PresentDto } from './presence.dto.js';
import { ANNOUNCE_PRESENCE, LEAVE, LIST_PRESENT, PRUNE_PRESENCE } from './presence.sql.js';

/** Who has an entry open. It is in the database, so that every process knows it, and is forgotten after half a minute. */
@Injectable()
export class PresenceService {
  constructor(
    private readonly database: Database,
    private readonly schemas: Schemas,
    private readonly names: MemberNames,
  ) {}

  /** Throws a 404 if there is no such entry. */
  async announce(caller: Caller, typeName: IdOrSlug, entryId: string): Promise<void> {
    const { tenantId, actorId: actor = '', name = '' } = caller;
    const { id: typeId } = await this.schemas.fresh(tenantId, typeName);
    const own = { actor, entryId };
    const announced = await this.database.query(tenantId, ANNOUNCE_PRESENCE, {
      ...own,
      typeId,
      name: isMember(actor) ? null : name,
    });
    if (announced.length === 0) throw Problem.notFound('entry');
    await this.database.query(tenantId, PRUNE_PRESENCE, own);
  }

  /** Does nothing if the caller is not there. Throws a 404 if there is no such entry. */
  async leave({ tenantId, actorId: actor = '' }: Caller, typeName: IdOrSlug, entryId: string): Promise<void> {
    const { id: typeId } = await this.schemas.fresh(tenantId, typeName);
    const left = await this.database.query(tenantId, LEAVE, { actor, typeId, entryId });
    if (left.length === 0) throw Problem.notFound('entry');
  }

  /** Returns who has the entry open, without those who are no members any more. Throws a 404 if there is no such entry. */
  async list({ tenantId, actorId }: Caller, typeName: IdOrSlug, entryId: string): Promise<PresentDto[]> {
    const { id: typeId } = await this.schemas.fresh(tenantId, typeName);
    const rows = await this.database.query(tenantId, LIST_PRESENT, { typeId, entryId });
    if (rows.length === 0) throw Problem.notFound('entry');
    const members = rows.flatMap(({ actor }) => (actor !== null && isMember(actor) ? [actor] : []));
    const names = await this.names.of(tenantId, members);
    return rows.flatMap(({ actor, name, since }) => {
      if (actor === null || since === null) return [];
      const shown = isMember(actor) ? names.get(actor) : name;
      if (shown === undefined || shown === null) return [];
      return [{ name: shown, ...(isMember(actor) && { user_id: actor }), since, is_me: actor === actorId }];
    });
  }
}
