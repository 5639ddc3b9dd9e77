/**
 * One connection with one request at a time, written as bytes and read only by length. Hundreds of them use little CPU, which should be
 * left to the service.
 */
import { connect } from 'node:net';

const END_OF_HEAD = Buffer.from('\r\n\r\n');
const TIMEOUT_MS = 60_000;

export class RawClient {
  constructor({ port, address, isClosed = () => false }) {
    Object.assign(this, { port, address, isClosed });
    this.reset();
  }

  /** Resolves with {status, retryAfter, bytes}. Without a complete response, the status is an error's code. */
  request(bytes) {
    return new Promise((resolve) => {
      this.answered = resolve;
      if (!this.socket) this.connect();
      this.socket.write(bytes);
    });
  }

  close() {
    this.socket?.destroy();
  }

  connect() {
    const socket = connect({ host: '127.0.0.1', port: this.port, localAddress: this.address });
    socket.setNoDelay(true);
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(Object.assign(new Error('Timeout'), { code: 'ETIMEDOUT' })));
    socket.on('data', (chunk) => this.receive(chunk));
    socket.on('error', (error) => (this.failure = error.code));
    socket.on('close', () => {
      this.socket = undefined;
      const status = this.failure ?? 'CLOSED';
      this.reset();
      this.answer({ status, bytes: 0 });
    });
    this.socket = socket;
  }

  reset() {
    this.failure = undefined;
    this.head = undefined;
    this.pending = undefined;
    this.received = 0;
  }

  receive(chunk) {
    this.received += chunk.length;
    if (!this.head) {
      const all = this.pending ? Buffer.concat([this.pending, chunk]) : chunk;
      const end = all.indexOf(END_OF_HEAD);
      if (end < 0) {
        this.pending = all;
        return;
      }
      this.head = all.latin1Slice(0, end);
      const length = /\r\ncontent-length: *(\d+)/i.exec(this.head)?.[1];
      // Responses without a length have no body here: 304, and 204 for a preflight.
      this.needed = end + 4 + Number(length ?? 0);
    }
    if (this.received < this.needed) return;
    const { head, received } = this;
    this.reset();
    if (/\r\nconnection: *close/i.test(head)) {
      this.socket?.removeAllListeners('close');
      this.socket?.destroy();
      this.socket = undefined;
    }
    const retryAfter = /\r\nretry-after: *([^\r]+)/i.exec(head)?.[1];
    this.answer({ status: Number(head.slice(9, 12)), retryAfter, bytes: received });
  }

  answer(answer) {
    const answered = this.answered;
    this.answered = undefined;
    answered?.(answer);
  }
}
