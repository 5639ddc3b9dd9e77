import { formatId } from '../ids/type-id.js';
import type { DeliverableType, DeliveryStatus } from './delivery-status.js';

/** What the statements answer: timestamps are ISO 8601, `attempts` is JSON text. */
export interface DeliveryRow {
  id: string;
  webhook_id: string;
  event_id: string;
  event_type: DeliverableType;
  status: DeliveryStatus;
  created_at: string;
  next_attempt_at: string | null;
  finished_at: string | null;
  attempts: string;
}

/** As JSON text, since the attempts come as such. */
export function presentDelivery({ id, webhook_id, event_id, attempts, ...rest }: DeliveryRow): string {
  const { event_type, status, created_at, next_attempt_at, finished_at } = rest;
  const head = JSON.stringify({
    id: formatId('dlv', id),
    webhook_id: formatId('wh', webhook_id),
    event_id: formatId('evt', event_id),
    event_type,
    status,
    created_at,
    next_attempt_at,
    finished_at,
  });
  return `${head.slice(0, -1)},"attempts":${attempts}}`;
}
