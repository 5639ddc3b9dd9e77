import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** One client connection: its unfinished requests, and when it last made progress. */
export class Connection {
  /** Requests whose response is not complete. */
  unfinished = 0;
  /** No further request gets a response. The connection closes after the responses in progress. */
  isEnding = false;
  /** The latest request. A part of it may not have arrived yet. */
  request?: IncomingMessage;
  /** When the connection last made progress (see `observe`), in milliseconds of the process's monotonic clock. */
  progressedAt = performance.now();
  private bytes = 0;

  constructor(
    readonly socket: Socket,
    /** The key that connections are counted by (see `addressGroup`). Undefined behind a proxy. */
    readonly address: string | undefined,
  ) {}

  /** Whether the client has to send the rest of a request or to read a response. Time in which the service works does not count. */
  get isWaitingForClient(): boolean {
    return this.socket.writableLength > 0 || (this.unfinished > 0 && this.request?.complete === false);
  }

  get isIdle(): boolean {
    return this.unfinished === 0;
  }

  /** Call this at intervals. It records whether bytes moved since the previous call. */
  observe(now: number): void {
    const bytes = movedBytes(this.socket);
    const isServed = !this.isIdle && !this.isWaitingForClient;
    if (bytes !== this.bytes || isServed) this.progressedAt = now;
    this.bytes = bytes;
  }
}

/** Returns a number that changes whenever bytes are received or sent. */
function movedBytes(socket: Socket): number {
  // Node's socket time-out uses this property too. Only it shows the progress of a large write.
  const { writeQueueSize = 0 } = (socket as unknown as { _handle?: { writeQueueSize?: number } })._handle ?? {};
  return socket.bytesRead + socket.bytesWritten - socket.writableLength - writeQueueSize;
}
