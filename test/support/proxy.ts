import { connect, createServer, type Socket } from 'node:net';

/** Listens on a port of this machine and passes every connection on to another port, until `close`. `cut` also ends the open ones. */
export async function startProxy(
  port: number,
  to: { host: string; port: number },
): Promise<{ close(): void; cut(): void }> {
  const open = new Set<Socket>();
  const proxy = createServer((client) => {
    const server = connect(to.port, to.host);
    open.add(client);
    client.once('close', () => open.delete(client));
    for (const [from, other] of [
      [client, server],
      [server, client],
    ] as const) {
      from.on('error', () => other.destroy());
      from.pipe(other);
    }
  });
  await new Promise<void>((resolve) => proxy.listen(port, '127.0.0.1', resolve));
  return {
    close: () => void proxy.close(),
    cut() {
      proxy.close();
      for (const client of open) client.destroy();
    },
  };
}

/** Returns a port on which nothing listens. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
