import { type NoParameters, statement } from '../../database/statements/statement.js';
import type { LimitedResource, Used } from '../../tenants/limits.js';

/** A tenant has few members, so they are counted, with those who are invited. */
const MEMBERS_USED = statement<NoParameters, Used>()(
  'members.used',
  'SELECT count(*) AS used FROM members WHERE tenant_id = :tenantId',
);

export const MEMBERS: LimitedResource = { name: 'users', used: MEMBERS_USED, single: 1, batch: 0 };
