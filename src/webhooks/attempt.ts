import { type EventRow, presentEvent } from '../events/event-presenter.js';
import { withMediaUrls } from '../fields/formats/media-url.js';
import { formatId } from '../ids/type-id.js';
import type { OutboundClient, OutboundResult } from '../outbound/outbound-client.js';
import { nextAttemptAt } from '../queues/retry-schedule.js';
import type { ClaimedDelivery } from './claim.js';
import type { DeliveryStatus } from './delivery-status.js';
import type { OwnHeaders } from './webhook-headers.js';
import { sign } from './signature.js';

const KEPT_BYTES = 1024;

export interface AttemptOptions {
  timeoutMs: number;
  schedule: readonly number[];
  signal: AbortSignal;
  /** The base of the URLs of files in the data. */
  filesBase: string;
}

/** The result of an attempt, and the new state of its delivery. */
export interface AttemptResult {
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

/** What was sealed in the webhook's row. */
export interface Opened {
  /** The secrets that sign. */
  secrets: readonly string[];
  /** The private key that signs. */
  signingKey: string | undefined;
  headers: OwnHeaders;
}

/** Posts the event once. Returns undefined if the attempt was aborted because the process ends. */
export async function attempt(
  client: OutboundClient,
  tenantId: string,
  { url, attempts, version }: ClaimedDelivery,
  event: EventRow,
  { secrets, signingKey, headers }: Opened,
  { timeoutMs, schedule, signal, filesBase }: AttemptOptions,
): Promise<AttemptResult | undefined> {
  const at = new Date();
  const body = withMediaUrls(presentEvent(tenantId, event), filesBase);
  const timestampSeconds = Math.floor(at.getTime() / 1000);
  const result = await client.post(url, {
    headers: {
      ...headers,
      'content-type': 'application/json',
      'user-agent': 'Trivet',
      'trivet-attempt': String(attempts + 1),
      'trivet-version': String(version),
      ...sign({ id: formatId('evt', event.id), timestampSeconds, body, secrets, signingKey }),
    },
    body,
    timeoutMs,
    signal,
  });
  if (result.error === 'aborted') return undefined;
  return { at, ...judge(result, attempts + 1, schedule) };
}

/** Returns the result of an attempt that failed before anything was sent. With an empty `schedule`, it was the last attempt. */
export function failedAttempt(message: string, attempts: number, schedule: readonly number[]): AttemptResult {
  const result = { body: '', durationMs: 0, error: 'aborted', message } as const;
  return { at: new Date(), ...judge(result, attempts + 1, schedule) };
}

/** A complete 2xx response is a success, and a 410 is final. Anything else is tried again until the schedule is exhausted. */
function judge(result: OutboundResult, attempts: number, schedule: readonly number[]): Omit<AttemptResult, 'at'> {
  const { status, error, message, durationMs } = result;
  const common = {
    durationMs,
    responseStatus: status ?? null,
    error: message ?? null,
    response: beginning(result.body),
  };
  if (!error && status !== undefined && status >= 200 && status < 300) {
    return { ...common, status: 'succeeded', pauseMs: null, gone: false };
  }
  if (status === 410) return { ...common, status: 'failed', pauseMs: null, gone: true };
  const now = new Date();
  const retryAfter = status === 429 || status === 503 ? result.retryAfter : undefined;
  const next = nextAttemptAt({ schedule, attempt: attempts, now, retryAfter });
  if (!next) return { ...common, status: 'failed', pauseMs: null, gone: false };
  return { ...common, status: 'pending', pauseMs: next.getTime() - now.getTime(), gone: false };
}

/** Returns the first KiB, without splitting a character. */
function beginning(text: string): string {
  if (text.length * 3 <= KEPT_BYTES) return text;
  return new TextDecoder().decode(Buffer.from(text).subarray(0, KEPT_BYTES), { stream: true });
}
