import type { LookupAddress } from 'node:dns';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createServer as createTlsServer } from 'node:tls';
import { parseCidrs } from '../../src/outbound/address.js';
import { OutboundClient, type OutboundOptions, type PostOptions } from '../../src/outbound/outbound-client.js';

const TLS = join(process.cwd(), 'test/support/tls');
export const cert = readFileSync(join(TLS, 'cert.pem'));
export const expired = readFileSync(join(TLS, 'expired.pem'));
export const key = readFileSync(join(TLS, 'key.pem'));

const loopback = { allowPrivateNetworks: false, allow: parseCidrs('127.0.0.1, ::1') };
export const toLoopback = (): Promise<LookupAddress[]> => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A server on a free port of this machine. */
export interface Listening {
  port: number;
  url: string;
  /** Its open sockets. */
  sockets: Set<Socket>;
  /** The number of connections it ever had. */
  connections: () => number;
}

/** Clients and the servers they call. All of them are closed after each test. */
export function useOutbound() {
  const opened: { server: Server; sockets: Set<Socket> }[] = [];
  const clients: OutboundClient[] = [];
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((made) => made.close()));
    for (const { server, sockets } of opened.splice(0)) {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  /** Listens on a free port of 127.0.0.1 (or `host`) and collects its sockets, so that a test can count and destroy them. */
  async function listen(server: Server, host = '127.0.0.1'): Promise<Listening> {
    const sockets = new Set<Socket>();
    let connections = 0;
    server.on('connection', (socket: Socket) => {
      connections++;
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    });
    server.on('secureConnection', (socket: Socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    opened.push({ server, sockets });
    const { port } = server.address() as AddressInfo;
    return { port, url: `https://receiver.test:${port}/hook`, sockets, connections: () => connections };
  }

  return {
    listen,
    https: (handler: Handler, host?: string) => listen(createHttpsServer({ key, cert }, handler), host),
    /** A TLS server that answers the first bytes of a connection with anything. */
    raw: (answer: (socket: Socket) => void) =>
      listen(createTlsServer({ key, cert }, (socket) => socket.once('data', () => answer(socket)))),
    /** A port on which no server listens any more. */
    refusing: async (): Promise<Listening> => {
      const server = createHttpsServer({ key, cert });
      const listening = await listen(server);
      opened.pop();
      await new Promise((resolve) => server.close(resolve));
      return listening;
    },
    /** A client that reaches only this machine, which it takes every name for. */
    client: (options: Partial<OutboundOptions> = {}): OutboundClient => {
      const made = new OutboundClient({ ...loopback, ca: cert, resolve: toLoopback, ...options });
      clients.push(made);
      return made;
    },
  };
}

export const post = (to: OutboundClient, url: string, options: Partial<PostOptions> = {}) =>
  to.post(url, { headers: { 'content-type': 'application/json' }, body: '{}', timeoutMs: 5_000, ...options });

/** The result of a complete response: it has no error. */
export const answered = (status: number, body = '') => ({ status, body, durationMs: expect.any(Number) as number });

/** Waits until the sender has closed every socket. A receiver that does not read would not notice, so this resumes the sockets. */
export async function expectNoSockets(sockets: Set<Socket>): Promise<void> {
  for (let i = 0; i < 6_000 && sockets.size > 0; i++) {
    // Each time, as on a busy machine a handshake may end after the sender gave up.
    for (const socket of sockets) socket.resume();
    await wait(10);
  }
  expect(sockets.size).toBe(0);
}
