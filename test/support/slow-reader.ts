import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

interface Answer {
  status: number;
  headers: string;
  body: string;
}

/** An HTTP client on a plain socket that reads its response only on demand. */
export class SlowReader {
  private readonly chunks: Buffer[] = [];
  private failure?: Error;

  private constructor(readonly socket: Socket) {
    socket.on('error', (error) => (this.failure = error));
  }

  /** Connects and sends the raw request, but does not read yet. */
  static async send(url: string, request: string): Promise<SlowReader> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    const reader = new SlowReader(socket);
    await once(socket, 'connect');
    socket.pause();
    socket.write(request);
    return reader;
  }

  /** Reads until the connection closes, and returns all bytes. Rejects if the connection broke. */
  async rest(): Promise<Buffer> {
    const closed = new Promise((resolve) => this.socket.once('close', resolve));
    this.socket.on('data', (chunk: Buffer) => this.chunks.push(chunk)).resume();
    await closed;
    if (this.failure) throw this.failure;
    return Buffer.concat(this.chunks);
  }

  /** The complete response to a request with `Connection: close`. */
  async answer(): Promise<Answer> {
    const bytes = await this.rest();
    const end = bytes.indexOf('\r\n\r\n');
    const headers = bytes.toString('latin1', 0, end);
    const body = bytes.subarray(end + 4);
    const status = Number(headers.split(' ', 2)[1]);
    return { status, headers, body: (/chunked/i.test(headers) ? unchunked(body) : body).toString() };
  }

  close(): void {
    this.socket.destroy();
  }
}

/** Decodes a chunked body. Throws if the last chunk is missing. */
function unchunked(body: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; ;) {
    const end = body.indexOf('\r\n', at);
    const size = end < 0 ? NaN : parseInt(body.toString('latin1', at, end), 16);
    if (!(at + size <= body.length)) throw new Error('The answer is not complete.');
    if (size === 0) return Buffer.concat(chunks);
    chunks.push(body.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}
