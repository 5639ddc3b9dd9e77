import { type NoParameters, statement } from '../database/statements/statement.js';
import type { LimitedResource, Used } from '../tenants/limits.js';

/** A tenant has few webhooks, so they are counted. */
const WEBHOOKS_USED = statement<NoParameters, Used>()(
  'webhooks.used',
  'SELECT count(*) AS used FROM webhooks WHERE tenant_id = :tenantId',
);

export const WEBHOOKS: LimitedResource = { name: 'webhooks', used: WEBHOOKS_USED, single: 1, batch: 0 };
