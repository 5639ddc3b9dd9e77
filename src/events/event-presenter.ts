import { formatId } from '../ids/type-id.js';

/** A row of an event: `data` is JSON text, the time is ISO 8601. */
export interface EventRow {
  id: string;
  type: string;
  occurredAt: string;
  data: string;
}

/** An event whose data is large and was left out. */
export type LargeEventRow = Omit<EventRow, 'data'> & { data: null };

/** An event as the feed returns it, which is also the body of a delivery. The stored JSON is passed through unchanged. */
export function presentEvent(tenantId: string, { id, type, occurredAt, data }: EventRow): string {
  return `{"id":"${formatId('evt', id)}","type":"${type}","timestamp":"${occurredAt}","tenant_id":"${tenantId}","data":${data}}`;
}
