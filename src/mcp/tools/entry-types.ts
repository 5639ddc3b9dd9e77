import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { ACCESS_RULE, type AccessRule } from '../../access/access.js';
import { narrowingOf } from '../../access/narrowing/narrowing.js';
import { NarrowedAccess } from '../../access/narrowing/narrowed-access.js';
import { ofTypes } from '../../content/narrowed-lists.js';
import { Database } from '../../database/database.js';
import { Problem } from '../../errors/problem.js';
import type { Caller } from '../../http/caller.js';
import { formatId, parseId } from '../../ids/type-id.js';
import { handlerOf, type Operation } from '../operations/operation.js';
import { TYPE_OF_ENTRY } from './entry-type.sql.js';

/** Finds the content types of entries that are named by their IDs alone. */
@Injectable()
export class EntryTypes {
  constructor(
    private readonly database: Database,
    private readonly narrowed: NarrowedAccess,
  ) {}

  /** Returns the public ID. Throws a 404 if there is no such entry, or the operation does not concern its content type with this key. */
  async of(caller: Caller, operation: Operation, publicId: string): Promise<string> {
    const entryId = parseId('ent', publicId);
    if (entryId === undefined) throw Problem.notFound('entry');
    const { tenantId, share } = caller;
    const types = ofTypes(await this.limited(caller, operation));
    const [type] = await this.database.reads.query(tenantId, TYPE_OF_ENTRY, { entryId, ...types }, share);
    if (!type) throw Problem.notFound('entry');
    return formatId('ct', type.id);
  }

  /** The caller as the operation would get it if it kept to content types. */
  private async limited(caller: Caller, operation: Operation): Promise<Caller> {
    const narrowing = narrowingOf([...caller.scopes]);
    if (!narrowing) return caller;
    const rule = Reflect.getMetadata(ACCESS_RULE, handlerOf(operation)) as AccessRule;
    const request: Pick<Request, 'params' | 'caller'> = { params: {} };
    await this.narrowed.admit(request, { ...rule, keepsToTypes: true }, caller, narrowing);
    return request.caller ?? caller;
  }
}
