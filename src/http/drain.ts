import cluster from 'node:cluster';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** However slow a client is, it doesn't hold the process up for longer. */
const FINISH_MS = 15_000;
/** Clients with an open connection have this long, if only once, to be told that it closes: closed at once, it might break a request. */
const NOTICE_MS = 200;
/** The listener closes when nobody has connected for so long, but no later than after the second of the two. */
const QUIET_MS = 100;
const QUIET_WITHIN_MS = 2_000;
/** A connection on which nothing has come, say one that a browser opened in advance, is closed this long after the listener. */
const SILENT_MS = 500;
const LOOK_EVERY_MS = 50;

type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;

/** Ends a server without breaking a request. To be made before the server listens. */
export class Drain {
  private readonly sockets = new Set<Socket>();
  private lastConnected = 0;
  private acceptors?: { close(): Promise<void> };

  constructor(private readonly server: Server) {
    server.on('connection', (socket) => {
      this.lastConnected = Date.now();
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  /** Further listeners, which are closed together with the server. */
  closes(acceptors: { close(): Promise<void> }): void {
    this.acceptors = acceptors;
  }

  /** From now on every answer says `Connection: close`. The server listens on for `delayMs`, and this returns after that. */
  async announce(delayMs: number): Promise<void> {
    this.server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
    for (const socket of this.sockets) {
      const { _httpMessage: response } = socket as Socket & { _httpMessage?: ServerResponse | null };
      if (response && !response.headersSent) response.setHeader('Connection', 'close');
    }
    await sleep(this.sockets.size > 0 ? Math.max(delayMs, NOTICE_MS) : delayMs);
  }

  /** Takes no more connections, lets requests that are under way finish, and returns when none is left. */
  async finish(): Promise<void> {
    if (!this.server.listening) return;
    const ended = await this.stopListening();
    const began = Date.now();
    const looks = setInterval(() => {
      this.server.closeIdleConnections();
      if (Date.now() - began > SILENT_MS) this.closeSilent();
    }, LOOK_EVERY_MS);
    const late = setTimeout(() => this.server.closeAllConnections(), FINISH_MS);
    await ended.promise;
    clearInterval(looks);
    clearTimeout(late);
  }

  /**
   * Resolves when the listener is closed, with what resolves when the last connection is. The system resets connections that wait to be
   * accepted when a listener closes. So requests are held back meanwhile: clients that wait for an answer don't connect anew.
   */
  private async stopListening(): Promise<{ promise: Promise<void> }> {
    const listeners = this.server.listeners('request') as RequestListener[];
    const held: Parameters<RequestListener>[] = [];
    this.server.removeAllListeners('request');
    this.server.on('request', (...request) => held.push(request));
    await this.quiet();
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    const promise = Promise.all([closed, this.acceptors?.close()]).then(() => undefined);
    // Of a cluster it is the primary that listens, and hears of it now.
    if (cluster.isWorker) await sleep(QUIET_MS);
    this.server.removeAllListeners('request');
    for (const listener of listeners) this.server.on('request', listener);
    for (const request of held) this.server.emit('request', ...request);
    return { promise };
  }

  private async quiet(): Promise<void> {
    const began = Date.now();
    const isQuiet = () => Date.now() - Math.max(began, this.lastConnected) >= QUIET_MS;
    while (Date.now() - began < QUIET_WITHIN_MS) {
      await sleep(QUIET_MS / 10);
      // What has connected by now is accepted in this turn of the event loop.
      await nextTurn();
      if (isQuiet()) return;
    }
  }

  /** To node they are not idle: a request is expected of them. */
  private closeSilent(): void {
    for (const socket of this.sockets) if (socket.bytesRead === 0) socket.destroy();
  }
}
