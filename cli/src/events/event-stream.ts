import { TrivetError } from '@trivet/client';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Session } from '../session/session.js';

/** The service sends something every 15 seconds. A connection that is silent for longer is dead. */
const SILENCE_MS = 45_000;
/** Milliseconds before the stream is opened again. Doubled after each failure. */
const PAUSE_MS = { least: 500, most: 10_000 };

interface Listener {
  /** The types of events; all without it. */
  readonly types: string | undefined;
  /** Is called once, when the first events could arrive. */
  ready(): void;
  /** The connection was lost, and is opened again. */
  lost(reason: string): void;
  /** Is called for each event, one after the other. `body` is that of a delivery. */
  receive(body: string, type: string): Promise<void>;
}

/**
 * Listens to the events of a tenant from now on, until the signal is aborted. A stream that breaks is opened again where it ended, so that no
 * event is missed or repeated. Throws if the first one is refused, or a later one for good.
 */
export async function listenToEvents(session: Session, listener: Listener): Promise<void> {
  const { signal } = session;
  const place: Place = { since: undefined, lastId: undefined };
  for (let [isReady, pause] = [false, PAUSE_MS.least]; !signal.aborted;) {
    try {
      await follow(session, place, listener, () => {
        if (!isReady) listener.ready();
        isReady = true;
        pause = PAUSE_MS.least;
      });
      if (!signal.aborted) listener.lost('the service ended the stream');
    } catch (error) {
      if (signal.aborted) return;
      if (!isReady || isFinal(error)) throw error;
      listener.lost(error instanceof Error ? error.message : String(error));
    }
    await sleep(pause, undefined, { signal }).catch(() => undefined);
    pause = Math.min(pause * 2, PAUSE_MS.most);
  }
}

/** Where a stream begins: after an event, at a time, or now. The time is that of the service, because clocks differ. */
interface Place {
  since: string | undefined;
  lastId: string | undefined;
}

async function follow(session: Session, place: Place, listener: Listener, opened: () => void): Promise<void> {
  const silence = new AbortController();
  let timer = setTimeout(() => undefined, 0);
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(new Error('nothing arrives any more')), SILENCE_MS);
  };
  heard();
  try {
    const response = await open(session, place, listener.types, AbortSignal.any([session.signal, silence.signal]));
    place.since ??= timeOf(response);
    opened();
    let waiting: EventSourceMessage[] = [];
    const parser = createParser({ onEvent: (event) => void waiting.push(event) });
    const decoder = new TextDecoder();
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      heard();
      parser.feed(decoder.decode(chunk, { stream: true }));
      const events = waiting;
      waiting = [];
      for (const { id, data, event = '' } of events) {
        // The receiver may take its time: the service waits meanwhile.
        clearTimeout(timer);
        await listener.receive(data, event);
        if (id !== undefined) place.lastId = id;
      }
      heard();
    }
  } finally {
    clearTimeout(timer);
  }
}

async function open(
  { url, tenant, key }: Session,
  { since, lastId }: Place,
  types: string | undefined,
  signal: AbortSignal,
): Promise<Response & { body: AsyncIterable<Uint8Array> }> {
  const query = new URLSearchParams({
    ...(types && { types }),
    ...(lastId === undefined && since !== undefined && { since }),
  });
  const response = await fetch(`${url}/v1/events/${tenant}?${query.toString()}`, {
    headers: {
      Authorization: `Bearer ${key}`,
      Accept: 'text/event-stream',
      ...(lastId !== undefined && { 'Last-Event-ID': lastId }),
    },
    redirect: 'manual',
    signal,
  });
  if (response.ok && response.body) return response as Response & { body: AsyncIterable<Uint8Array> };
  throw refusalOf(response.status, await response.text());
}

function timeOf({ headers }: Response): string {
  const time = Date.parse(headers.get('date') ?? '');
  return new Date(Number.isNaN(time) ? Date.now() : time).toISOString();
}

function refusalOf(status: number, text: string): TrivetError {
  try {
    const { code, detail, request_id: requestId } = JSON.parse(text) as Record<string, string>;
    return new TrivetError(detail ?? text, { status, code: code ?? `http_${status}`, requestId });
  } catch {
    return new TrivetError(`The service answered with the status ${status}.`, { status, code: `http_${status}` });
  }
}

/** Whether it would be refused again. */
function isFinal(error: unknown): boolean {
  return error instanceof TrivetError && error.status >= 400 && error.status < 500 && error.status !== 429;
}
