import { type NoParameters, statement } from '../database/statement.js';
import type { LargeStatements } from '../lists/large-json.js';
import type { EventRow } from './event-presenter.js';

const BY_IDS = 'FROM events WHERE tenant_id = :tenantId AND id = ANY (:ids::uuid[])';

/** Read events with large data by their ids. */
export const LARGE_EVENTS: LargeStatements<NoParameters, EventRow> = {
  sizes: statement<{ ids: readonly string[] }, { id: string; bytes: number }>()(
    'events.sizes',
    `SELECT id, octet_length(data::text) AS bytes ${BY_IDS}`,
  ),
  rows: statement<{ ids: readonly string[] }, EventRow>()(
    'events.by_ids',
    `SELECT id, type, occurred_at AS "occurredAt", data ${BY_IDS}`,
  ),
};
