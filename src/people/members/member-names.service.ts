import { Injectable } from '@nestjs/common';
import { MemberNames } from '../../access/member-names.js';
import { Database } from '../../database/database.js';
import { formatId, parseId } from '../../ids/type-id.js';
import { NAMES_OF_MEMBERS } from './members.sql.js';

/** The names of members, as they are today. */
@Injectable()
export class NamesOfMembers extends MemberNames {
  constructor(private readonly database: Database) {
    super();
  }

  async of(tenantId: string, ids: readonly (string | undefined)[]): Promise<ReadonlyMap<string, string>> {
    const uuids = [...new Set(ids)].flatMap((id) => (id === undefined ? [] : (parseId('usr', id) ?? [])));
    if (uuids.length === 0) return new Map();
    const rows = await this.database.query(tenantId, NAMES_OF_MEMBERS, { ids: uuids });
    return new Map(rows.map(({ id, name }) => [formatId('usr', id), name]));
  }
}
