import type { LargeStatements } from '../lists/large-json.js';

const BY_IDS = 'FROM events WHERE tenant_id = $1 AND id = ANY ($2::uuid[])';

/** Events with large data, by the ids `$2`. */
export const LARGE_EVENTS: LargeStatements = {
  sizes: { name: 'events.sizes', text: `SELECT id, octet_length(data::text) AS bytes ${BY_IDS}` },
  rows: { name: 'events.by_ids', text: `SELECT id, type, occurred_at AS "occurredAt", data ${BY_IDS}` },
};
