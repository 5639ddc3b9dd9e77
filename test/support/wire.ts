import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/** A proxy between the application and its database, which can simulate outages. */
export class Wire {
  private readonly sockets = new Set<Socket>();
  private mode: 'up' | 'down' | 'silent' = 'up';

  private constructor(
    private readonly server: Server,
    private readonly port: number,
  ) {}

  /** With `deaf`, notifications of the database are lost, as a pooler may lose them. */
  static async to(url: string, { deaf = false } = {}): Promise<Wire> {
    const { hostname, port } = new URL(url);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const wire = new Wire(server, (server.address() as AddressInfo).port);
    server.on('connection', (client) => wire.join(client, connect(Number(port), hostname), deaf));
    return wire;
  }

  urlOf(database: string): string {
    const url = new URL(database);
    url.hostname = '127.0.0.1';
    url.port = String(this.port);
    return url.href;
  }

  /** Breaks every connection and refuses new ones. */
  cut(): void {
    this.mode = 'down';
    for (const socket of this.sockets) socket.destroy();
  }

  /** Keeps connections open but forwards nothing, which is harder to detect. */
  silence(): void {
    this.mode = 'silent';
    for (const socket of this.sockets) socket.pause();
  }

  restore(): void {
    this.mode = 'up';
    for (const socket of this.sockets) socket.resume();
  }

  close(): void {
    this.cut();
    this.server.close();
  }

  private join(client: Socket, server: Socket, deaf: boolean): void {
    if (this.mode === 'down') {
      client.destroy();
      server.destroy();
      return;
    }
    client.pipe(server);
    if (deaf) server.pipe(withoutNotifications()).pipe(client);
    else server.pipe(client);
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.sockets.add(socket);
      if (this.mode === 'silent') socket.pause();
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.sockets.delete(socket);
        other.destroy();
      });
    }
  }
}

/** Leaves out the messages `NotificationResponse` of PostgreSQL's protocol: a type, the length of the rest, and the rest. */
function withoutNotifications(): Transform {
  let rest = Buffer.alloc(0);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
        const message = rest.subarray(0, 1 + rest.readUInt32BE(1));
        rest = rest.subarray(message.length);
        if (message[0] !== 'A'.charCodeAt(0)) this.push(message);
      }
      done();
    },
  });
}
