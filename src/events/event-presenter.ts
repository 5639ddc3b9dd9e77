import { formatId } from '../ids/type-id.js';

/** What an event's row holds: `data` is JSON text, the time is ISO 8601. */
export interface EventRow {
  id: string;
  type: string;
  occurredAt: string;
  data: string;
}

/** The same without its data, which is large and was left out. */
export type LargeEvent = Omit<EventRow, 'data'> & { data: null };

/** As the feed shows it, which is also the body of a delivery. The stored JSON is passed through as it is. */
export function presentEvent(tenantId: string, { id, type, occurredAt, data }: EventRow): string {
  return `{"id":"${formatId('evt', id)}","type":"${type}","timestamp":"${occurredAt}","tenant_id":"${tenantId}","data":${data}}`;
}
