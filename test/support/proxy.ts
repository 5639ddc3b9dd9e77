import { connect, createServer } from 'node:net';

/** Listens on a port of this machine and passes every connection on to another port, until `close`. */
export async function startProxy(port: number, to: { host: string; port: number }): Promise<{ close(): void }> {
  const proxy = createServer((client) => {
    const server = connect(to.port, to.host);
    for (const [from, other] of [
      [client, server],
      [server, client],
    ] as const) {
      from.on('error', () => other.destroy());
      from.pipe(other);
    }
  });
  await new Promise<void>((resolve) => proxy.listen(port, '127.0.0.1', resolve));
  return { close: () => void proxy.close() };
}

/** Returns a port on which nothing listens. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
