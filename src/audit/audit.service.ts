import { Injectable } from '@nestjs/common';
import { FORMER_MEMBER, isMember, MemberNames } from '../access/member-names.js';
import { otherType } from '../access/scope-problems.js';
import { Database } from '../database/database.js';
import type { Caller } from '../http/caller.js';
import { type ListResult, readList } from '../lists/engine/list-reader.js';
import type { CursorPage } from '../lists/page.js';
import { AUDIT_TABLE, type AuditFilter, auditQuery, type AuditRow } from './audit-list.js';

@Injectable()
export class AuditService {
  constructor(
    private readonly database: Database,
    private readonly names: MemberNames,
  ) {}

  /** Returns a page of the records that the filter names, newest first. Throws a 403 for a key that is limited to content types. */
  async list(
    { tenantId, visibleTypes, scopes }: Caller,
    filter: AuditFilter,
    page: CursorPage,
  ): Promise<ListResult<AuditRow>> {
    // A record names entries, but not their content types.
    if (visibleTypes) throw otherType(scopes);
    const { actor = '', action = '', resource = '', from, to } = filter;
    const list = `audit ${actor} ${action} ${resource} ${from?.getTime() ?? ''} ${to?.getTime() ?? ''}`;
    const source = { reads: this.database, tenantId };
    const { rows, meta } = await readList<AuditRow>(source, AUDIT_TABLE, auditQuery(filter), page, list);
    const names = await this.names.of(
      tenantId,
      rows.map(({ actorId }) => (isMember(actorId) ? actorId : undefined)),
    );
    const named = (row: AuditRow) => ({ ...row, actorName: names.get(row.actorId) ?? FORMER_MEMBER });
    return { rows: rows.map((row) => (isMember(row.actorId) ? named(row) : row)), meta };
  }
}
