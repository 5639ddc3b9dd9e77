import { formatId } from '../../ids/type-id.js';
import type { DeliverableType, DeliveryStatus } from './delivery-status.js';

/** A delivery as the statements return it: times are ISO 8601, `attempts` is JSON text. */
export interface DeliveryRow {
  id: string;
  webhookId: string;
  eventId: string;
  /** Its place in the list. */
  place: string;
  eventType: DeliverableType;
  status: DeliveryStatus;
  createdAt: string;
  nextAttemptAt: string | null;
  finishedAt: string | null;
  attempts: string;
}

/** Returns the delivery as JSON text, because its attempts are JSON text already. */
export function presentDelivery(row: DeliveryRow): string {
  const head = JSON.stringify({
    id: formatId('dlv', row.id),
    webhook_id: formatId('wh', row.webhookId),
    event_id: formatId('evt', row.eventId),
    event_type: row.eventType,
    status: row.status,
    created_at: row.createdAt,
    next_attempt_at: row.nextAttemptAt,
    finished_at: row.finishedAt,
  });
  return `${head.slice(0, -1)},"attempts":${row.attempts}}`;
}
