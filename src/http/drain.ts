import cluster from 'node:cluster';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** Maximum time to wait for slow clients. */
const FINISH_MS = 15_000;
/** Minimum time to announce the close on open connections. To close them at once could break a request. */
const NOTICE_MS = 200;
/** The listener closes after this long without a new connection, but no later than after `QUIET_WITHIN_MS`. */
const QUIET_MS = 100;
const QUIET_WITHIN_MS = 2_000;
/** A connection without any received bytes, such as one that a browser opened in advance, is closed this long after the listener. */
const SILENT_MS = 500;
const CHECK_INTERVAL_MS = 50;

type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;

/** Stops a server without breaking a request. Must be created before the server listens. */
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

  /** Sets further listeners, which are closed together with the server. */
  closes(acceptors: { close(): Promise<void> }): void {
    this.acceptors = acceptors;
  }

  /** Adds `Connection: close` to every response from now on. Returns after at least `delayMs`, in which the server still listens. */
  async announce(delayMs: number): Promise<void> {
    this.server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
    for (const socket of this.sockets) {
      const { _httpMessage: response } = socket as Socket & { _httpMessage?: ServerResponse | null };
      if (response && !response.headersSent) response.setHeader('Connection', 'close');
    }
    await sleep(this.sockets.size > 0 ? Math.max(delayMs, NOTICE_MS) : delayMs);
  }

  /** Accepts no more connections, lets the requests in progress finish, and returns when no connection is left. */
  async finish(): Promise<void> {
    if (!this.server.listening) return;
    const ended = await this.stopListening();
    const began = Date.now();
    const looks = setInterval(() => {
      this.server.closeIdleConnections();
      if (Date.now() - began > SILENT_MS) this.closeSilent();
    }, CHECK_INTERVAL_MS);
    const late = setTimeout(() => this.server.closeAllConnections(), FINISH_MS);
    await ended.promise;
    clearInterval(looks);
    clearTimeout(late);
  }

  /**
   * Resolves when the listener is closed. The returned promise resolves when the last connection is closed. The system resets connections
   * that wait to be accepted when a listener closes. Requests are held back meanwhile: clients that wait for a response do not reconnect.
   */
  private async stopListening(): Promise<{ promise: Promise<void> }> {
    const listeners = this.server.listeners('request') as RequestListener[];
    const held: Parameters<RequestListener>[] = [];
    this.server.removeAllListeners('request');
    this.server.on('request', (...request) => held.push(request));
    await this.quiet();
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    const promise = Promise.all([closed, this.acceptors?.close()]).then(() => undefined);
    // In a cluster the primary listens. It needs this time to receive the close.
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
      // Established connections are accepted in this iteration of the event loop.
      await nextTurn();
      if (isQuiet()) return;
    }
  }

  /** Node does not treat these connections as idle, because it expects a request on them. */
  private closeSilent(): void {
    for (const socket of this.sockets) if (socket.bytesRead === 0) socket.destroy();
  }
}
