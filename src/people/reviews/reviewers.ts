import { Injectable, Logger } from '@nestjs/common';
import { mayRead } from '../../access/may-read.js';
import { NarrowedAccess } from '../../access/narrowing/narrowed-access.js';
import { credentialOf } from '../../access/usable-key.js';
import type { TenantConfig } from '../../config/tenants-config.js';
import { Database } from '../../database/database.js';
import { roleOf } from '../members/member-role.js';
import { LIST_ROLES } from '../roles/roles.sql.js';
import { BUILT_IN, ownRole } from '../roles/tenant-role.js';
import { FIND_REVIEWER, FIND_REVIEWERS, type ReviewerRow } from './review-mails.sql.js';

/** Members who are told of one review. */
const MOST = 50;

/** The members who want emails about reviews, and may read the drafts. */
@Injectable()
export class Reviewers {
  private readonly log = new Logger('Mail');

  constructor(
    private readonly database: Database,
    private readonly narrowed: NarrowedAccess,
  ) {}

  /** Returns at most 50 members, the oldest memberships first, without `asker` (the UUID of a member). */
  async of(tenant: TenantConfig, typeId: string, asker: string | null): Promise<ReviewerRow[]> {
    const roleIds = await this.rolesThatRead(tenant, typeId);
    const found = await this.database.query(tenant.id, FIND_REVIEWERS, { roleIds, asker, most: MOST + 1 });
    if (found.length > MOST) {
      this.log.warn(
        { tenant_id: tenant.id, limit: MOST },
        'Too many members want emails about reviews; some receive none',
      );
    }
    return found.slice(0, MOST);
  }

  /** Whether the member with this UUID still wants emails about reviews and may read the drafts. */
  async includes(tenant: TenantConfig, typeId: string, id: string): Promise<boolean> {
    const [member] = await this.database.query(tenant.id, FIND_REVIEWER, { id });
    return member !== undefined && this.maySee(tenant, roleOf(member), typeId);
  }

  private async rolesThatRead(tenant: TenantConfig, typeId: string): Promise<string[]> {
    const roles = [...BUILT_IN, ...(await this.database.query(tenant.id, LIST_ROLES, {})).map(ownRole)];
    const ids: string[] = [];
    for (const role of roles) if (await this.maySee(tenant, role, typeId)) ids.push(role.id);
    return ids;
  }

  /** Whether a role lets its members read drafts of the content type. Its scopes have IDs, so this takes no query. */
  private async maySee(
    tenant: TenantConfig,
    { name, scopes }: { name: string; scopes: readonly string[] },
    typeId: string,
  ): Promise<boolean> {
    const reader = await this.narrowed.readerOf(credentialOf(tenant, { id: '', name }, { scopes }));
    return mayRead(reader, { area: 'content', typeId });
  }
}
