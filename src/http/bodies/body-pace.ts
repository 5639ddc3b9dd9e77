import type { IncomingMessage } from 'node:http';
import { Problem } from '../../errors/problem.js';

/** How slowly the body of a request may arrive: in each window of this length, at least this number of bytes. Tests shorten it. */
export const bodyPace = { windowMs: 30_000, bytes: 1_024 };

const LOOK_MS = 1_000;

/** The watch over a body that is being read. */
interface PaceWatch {
  /** Aborted, with a 408 as its reason, if the body arrives too slowly. */
  signal: AbortSignal;
  /** Must be called once, when the reading ends. */
  end(): void;
}

/** The bodies that have not arrived yet. They share one timer, which runs only while there are any. */
const reader = new Set<Reading>();
let timer: NodeJS.Timeout | undefined;
let lookMs = LOOK_MS;
let lookedAt = 0;

/** Watches how fast the body of the request arrives. Undefined if all of it has arrived. Every reader of a body must do this. */
export function watchPace(request: IncomingMessage): PaceWatch | undefined {
  if (request.complete) return undefined;
  const reading = new Reading(request);
  reader.add(reading);
  if (!timer) {
    lookMs = Math.min(LOOK_MS, bodyPace.windowMs / 4);
    lookedAt = performance.now();
    timer = setInterval(look, lookMs).unref();
  }
  return {
    signal: reading.controller.signal,
    end: () => {
      reader.delete(reading);
      if (reader.size === 0) timer = void clearInterval(timer);
    },
  };
}

/** The 408 of a body that takes too long. The connection ends with it, because the rest of the body may never arrive. */
export function tooSlow(): Problem {
  return new Problem('request_timeout', 'The body of the request took too long to arrive.', undefined, {
    Connection: 'close',
  });
}

/** Runs a reading that is one call, with the signal of its watch. */
export async function atPace<Result>(
  request: IncomingMessage,
  read: (signal: AbortSignal | undefined) => Promise<Result>,
): Promise<Result> {
  const watch = watchPace(request);
  try {
    return await read(watch?.signal);
  } finally {
    watch?.end();
  }
}

function look(): void {
  const now = performance.now();
  // While the process was busy, bytes may have arrived that it could not read.
  const ms = Math.min(now - lookedAt, 2 * lookMs);
  lookedAt = now;
  for (const reading of reader) reading.look(ms);
}

class Reading {
  readonly controller = new AbortController();
  private waitedMs = 0;
  private bytesBefore: number;

  constructor(private readonly request: IncomingMessage) {
    this.bytesBefore = request.socket.bytesRead;
  }

  look(ms: number): void {
    const { socket, readableLength } = this.request;
    // There are bytes that the service has not taken yet: it is the slow one.
    if (readableLength > 0) return;
    this.waitedMs += ms;
    if (this.waitedMs < bodyPace.windowMs) return;
    if (socket.bytesRead - this.bytesBefore < bodyPace.bytes) this.controller.abort(tooSlow());
    this.waitedMs = 0;
    this.bytesBefore = socket.bytesRead;
  }
}
