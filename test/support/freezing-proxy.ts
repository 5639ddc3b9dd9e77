import { createServer, connect, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** A server between the service and its database, which can let single statements hang as a server does that is stopped or cut off. */
export interface FreezingProxy {
  /** The URL of the database behind it. */
  url: string;
  /** From now on, nothing is answered on a connection once one of the texts was sent on it. */
  freeze(texts: readonly string[]): void;
  /** Passes on what was held back. */
  thaw(): void;
  close(): Promise<void>;
}

export async function startFreezingProxy(databaseUrl: string): Promise<FreezingProxy> {
  const to = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const frozen = new Set<Socket>();
  let texts: readonly string[] = [];
  const proxy = createServer((client) => {
    const server = connect(Number(to.port || 5432), to.hostname);
    for (const [from, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => other.destroy());
      from.on('close', () => sockets.delete(from));
      from.pipe(other);
    }
    client.on('data', (data) => {
      if (!texts.some((text) => data.includes(text))) return;
      server.unpipe(client);
      server.pause();
      frozen.add(server);
    });
    server.on('unfreeze', () => server.pipe(client));
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((proxy.address() as AddressInfo).port);
  return {
    url: url.href,
    freeze: (these) => (texts = these),
    thaw() {
      texts = [];
      for (const server of frozen) server.emit('unfreeze');
      frozen.clear();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}
