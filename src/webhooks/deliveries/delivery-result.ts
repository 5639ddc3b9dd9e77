import type { OutboundResult } from '../../outbound/outbound-client.js';
import { pauseAfter } from '../../queues/retry-schedule.js';
import type { DeliveryStatus } from './delivery-status.js';

const KEPT_BYTES = 1024;

/** The result of an attempt, and the new state of its delivery. */
export interface DeliveryResult {
  at: Date;
  durationMs: number;
  /** The HTTP status of the response, if one arrived. */
  responseStatus: number | null;
  error: string | null;
  response: string;
  status: DeliveryStatus;
  /** Milliseconds until the next attempt; null if there is no further attempt. */
  pauseMs: number | null;
  /** Whether the receiver responded that it is permanently gone. */
  gone: boolean;
}

/** When the attempt began, its number from 1, and the pauses after failed attempts. */
interface Attempted {
  at: Date;
  number: number;
  schedule: readonly number[];
}

/** A complete 2xx response is a success, and a 410 is final. Anything else is tried again until the schedule is exhausted. */
export function resultOf(response: OutboundResult, { at, number, schedule }: Attempted): DeliveryResult {
  const { status, error, message, durationMs } = response;
  const common = {
    at,
    durationMs,
    responseStatus: status ?? null,
    error: message ?? null,
    response: beginning(response.body),
  };
  if (!error && status !== undefined && status >= 200 && status < 300) {
    return { ...common, status: 'succeeded', pauseMs: null, gone: false };
  }
  if (status === 410) return { ...common, status: 'failed', pauseMs: null, gone: true };
  const retryAfter = status === 429 || status === 503 ? response.retryAfter : undefined;
  const pauseMs = pauseAfter(schedule, number, retryAfter) ?? null;
  return { ...common, status: pauseMs === null ? 'failed' : 'pending', pauseMs, gone: false };
}

/** The result of an attempt that failed before anything was sent. With an empty `schedule`, it was the last attempt. */
export function notSent(message: string, attempted: Omit<Attempted, 'at'>): DeliveryResult {
  return resultOf({ body: '', durationMs: 0, error: 'aborted', message }, { at: new Date(), ...attempted });
}

/** Returns the first KiB, without splitting a character. */
function beginning(text: string): string {
  if (text.length * 3 <= KEPT_BYTES) return text;
  return new TextDecoder().decode(Buffer.from(text).subarray(0, KEPT_BYTES), { stream: true });
}
