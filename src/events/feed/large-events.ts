import { type NoParameters, statement } from '../../database/statements/statement.js';
import type { LargeStatements } from '../../lists/large-json.js';
import { EVENT_DATA, JOIN_VERSION } from './event-data.sql.js';
import type { EventRow } from '../event-presenter.js';

const BY_IDS = `FROM events e ${JOIN_VERSION} WHERE e.tenant_id = :tenantId AND e.id = ANY (:ids::uuid[])` as const;

/** The statements that read events with large data by their IDs. */
export const LARGE_EVENTS: LargeStatements<NoParameters, EventRow> = {
  sizes: statement<{ ids: readonly string[] }, { id: string; bytes: number }>()(
    'events.sizes',
    `SELECT e.id, octet_length(${EVENT_DATA}) AS bytes ${BY_IDS}`,
  ),
  rows: statement<{ ids: readonly string[] }, EventRow>()(
    'events.by_ids',
    `SELECT e.id, e.type, e.occurred_at AS "occurredAt", ${EVENT_DATA} AS data ${BY_IDS}`,
  ),
};
