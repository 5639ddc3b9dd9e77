import { Injectable } from '@nestjs/common';
import { otherType } from '../access/scope-problems.js';
import { Database } from '../database/database.js';
import type { Caller } from '../http/caller.js';
import { type CursorPage, cursorPage, type ListMeta, placeOf } from '../lists/page.js';
import { type AuditFilter, type AuditRow, pageOfRecords } from './audit-list.sql.js';

@Injectable()
export class AuditService {
  constructor(private readonly database: Database) {}

  /** Returns a page of the records that the filter names, newest first. Throws a 403 for a key that is limited to content types. */
  async list(
    { tenantId, visibleTypes, scopes }: Caller,
    filter: AuditFilter,
    page: CursorPage,
  ): Promise<{ rows: AuditRow[]; meta: ListMeta }> {
    // A record names entries, but not their content types.
    if (visibleTypes) throw otherType(scopes);
    const { actor = '', action = '', resource = '', from, to } = filter;
    const list = `audit ${actor} ${action} ${resource} ${from?.getTime() ?? ''} ${to?.getTime() ?? ''}`;
    const after = placeOf(page, list)?.[0] ?? undefined;
    const limit = page.perPage + 1;
    const found = await this.database.queryComposed<AuditRow>(tenantId, pageOfRecords(filter, { after, limit }));
    return cursorPage(found, page.perPage, list, ({ id }) => [id]);
  }
}
