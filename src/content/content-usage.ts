import { type NoParameters, statement } from '../database/statements/statement.js';
import type { LimitedResource, Used } from '../tenants/limits.js';
import { MAX_OPERATIONS } from './bulk/read-operations.js';

const ENTRIES_USED = statement<NoParameters, Used>()(
  'entry_counts.used',
  'SELECT coalesce(sum(drafts + published), 0)::bigint AS used FROM entry_counts WHERE tenant_id = :tenantId',
);

/** A tenant has few content types, so they are counted. */
const TYPES_USED = statement<NoParameters, Used>()(
  'content_types.used',
  'SELECT count(*) AS used FROM content_types WHERE tenant_id = :tenantId',
);

/** The entries of a tenant. */
export const ENTRIES: LimitedResource = { name: 'entries', used: ENTRIES_USED, single: 1, batch: MAX_OPERATIONS };

export const CONTENT_TYPES: LimitedResource = { name: 'content_types', used: TYPES_USED, single: 1, batch: 0 };
