import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** One client connection: what is under way on it, and when it last got on. */
export class Connection {
  /** Requests whose answer is not complete. */
  unfinished = 0;
  /** No further request is answered; the connection ends after the answers that are under way. */
  isEnding = false;
  /** The latest request, of which a part may still be to come. */
  request?: IncomingMessage;
  /** When bytes last moved, in milliseconds of the process's monotonic clock. */
  progressedAt = performance.now();
  private bytes = 0;

  constructor(
    readonly socket: Socket,
    /** What connections are counted by; undefined where addresses are those of proxies. */
    readonly address: string | undefined,
  ) {}

  /** Whether the client owes something: the rest of a request, or to take its answer. The service's own time does not count. */
  get isWaitingForClient(): boolean {
    return this.socket.writableLength > 0 || (this.unfinished > 0 && this.request?.complete === false);
  }

  get isIdle(): boolean {
    return this.unfinished === 0;
  }

  /** To be called at intervals: notes whether bytes have moved since the call before. */
  observe(now: number): void {
    const bytes = movedBytes(this.socket);
    const isServed = !this.isIdle && !this.isWaitingForClient;
    if (bytes !== this.bytes || isServed) this.progressedAt = now;
    this.bytes = bytes;
  }
}

/** A number that changes whenever bytes come in or go out. */
function movedBytes(socket: Socket): number {
  // Node's own time-out of sockets looks at this number too: it alone tells how a large write gets on.
  const { writeQueueSize = 0 } = (socket as unknown as { _handle?: { writeQueueSize?: number } })._handle ?? {};
  return socket.bytesRead + socket.bytesWritten - socket.writableLength - writeQueueSize;
}
