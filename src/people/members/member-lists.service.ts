import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { Problem } from '../../errors/problem.js';
import type { Caller } from '../../http/caller.js';
import type { Query } from '../../http/query.js';
import type { ListResult } from '../../lists/engine/list-reader.js';
import { readSearchText } from '../../lists/list-request.js';
import type { Page } from '../../lists/page.js';
import { LIST_ROLES } from '../roles/roles.sql.js';
import { roleNamed } from '../roles/tenant-role.js';
import { listMembers } from './member-list.js';
import type { PresentableMember } from './member-presenter.js';

/** Lists members with the names of their roles. */
@Injectable()
export class MemberLists {
  constructor(private readonly database: Database) {}

  /** Throws a 400 if a parameter is wrong. */
  async list({ tenantId }: Caller, query: Query, page: Page): Promise<ListResult<PresentableMember>> {
    const words = readSearchText(query)?.split(/\s+/).filter(Boolean) ?? [];
    const roleId = await this.roleId(tenantId, query['role']);
    const filters = { words, ...(roleId !== undefined && { roleId }) };
    const { rows, meta } = await listMembers(this.database, tenantId, page, filters);
    const roles = new Map((await this.database.query(tenantId, LIST_ROLES, {})).map((role) => [role.id, role]));
    return {
      rows: rows.map((member) => {
        const { name = null, scopes = null, locales = null } = roles.get(member.roleId) ?? {};
        return { ...member, roleName: name, scopes, locales };
      }),
      meta,
    };
  }

  private async roleId(tenantId: string, text: string | string[] | undefined): Promise<string | undefined> {
    if (typeof text !== 'string') return undefined;
    const role = await roleNamed(this.database, tenantId, text);
    if (!role) throw Problem.parameter('role', 'role must be the name or the ID of a role.');
    return role.id;
  }
}
