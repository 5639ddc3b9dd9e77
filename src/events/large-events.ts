import { largeStatements } from '../lists/large-json.js';
import type { EventRow } from './event-presenter.js';

/** The statements that read events with large data by their IDs. */
export const LARGE_EVENTS = largeStatements<EventRow>({
  table: 'events',
  columns: 'id, type, occurred_at AS "occurredAt"',
  json: 'data',
});
