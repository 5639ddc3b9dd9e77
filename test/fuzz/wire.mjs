/** HTTP/1.1 over plain sockets: a request is bytes, so that it can be broken in any way. */
import { connect } from 'node:net';

const MAX_HEAD_BYTES = 256 * 1024;

/** Why there is no complete response: `closed`, `timeout`, `refused` or `malformed`. */
export class WireError extends Error {
  constructor(reason, text = reason) {
    super(text);
    this.reason = reason;
  }
}

/** Parses the response to one request from chunks. Collects statuses below 200 in `interim`. */
export class AnswerReader {
  buffer = Buffer.alloc(0);
  chunks = [];
  received = 0;
  interim = [];

  constructor(method) {
    this.method = method;
  }

  /** Returns true when the response is complete. The bytes after it are then in `rest`. */
  push(chunk) {
    if (this.head === undefined) {
      this.buffer = Buffer.concat([this.buffer, chunk]);
      if (!this.readHead()) return false;
      chunk = this.buffer;
    }
    return this.pushBody(chunk);
  }

  /** Whether the end of the connection completes the response. */
  end() {
    return this.head !== undefined && this.length === undefined && !this.isChunked;
  }

  answer() {
    const { version, status, reason, headers, interim } = this;
    return { version, status, reason, headers, interim, body: this.body ?? Buffer.concat(this.chunks) };
  }

  readHead() {
    const end = this.buffer.indexOf('\r\n\r\n');
    if (end < 0) {
      if (this.buffer.length > MAX_HEAD_BYTES) throw new WireError('malformed', 'The response has no end of headers.');
      return false;
    }
    const [first, ...lines] = this.buffer.subarray(0, end).toString('latin1').split('\r\n');
    this.buffer = this.buffer.subarray(end + 4);
    const [, version, status, reason] = /^HTTP\/(1\.[01]) (\d{3}) ?(.*)$/.exec(first) ?? [];
    if (!version) throw new WireError('malformed', `The response starts with ${JSON.stringify(first.slice(0, 100))}.`);
    if (Number(status) < 200) {
      this.interim.push(Number(status));
      return this.readHead();
    }
    Object.assign(this, { version, status: Number(status), reason, headers: readHeaders(lines) });
    this.head = true;
    this.readFraming();
    return true;
  }

  readFraming() {
    const lengths = this.headers.get('content-length') ?? [];
    if (lengths.length > 1) throw new WireError('malformed', 'The response has two lengths.');
    this.isChunked = (this.headers.get('transfer-encoding') ?? []).some((value) => /chunked/i.test(value));
    const hasNoBody = this.method === 'HEAD' || this.status === 204 || this.status === 304;
    if (hasNoBody) this.length = 0;
    else if (lengths.length === 1) this.length = Number(lengths[0]);
    if (hasNoBody) this.isChunked = false;
    if (this.length !== undefined && !Number.isSafeInteger(this.length)) {
      throw new WireError('malformed', `The response has the length ${lengths[0]}.`);
    }
  }

  pushBody(chunk) {
    if (this.isChunked) return this.pushChunked(chunk);
    this.chunks.push(chunk);
    this.received += chunk.length;
    if (this.length === undefined || this.received < this.length) return false;
    const all = Buffer.concat(this.chunks);
    this.body = all.subarray(0, this.length);
    this.rest = all.subarray(this.length);
    return true;
  }

  pushChunked(chunk) {
    this.buffer = this.chunks.length === 0 ? chunk : Buffer.concat([this.chunks[0], chunk]);
    this.chunks = [this.buffer];
    const found = readChunked(this.buffer);
    if (!found) return false;
    Object.assign(this, found);
    return true;
  }
}

function readHeaders(lines) {
  const headers = new Map();
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon < 1) throw new WireError('malformed', `The response has the header line ${JSON.stringify(line)}.`);
    const name = line.slice(0, colon).toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), line.slice(colon + 1).trim()]);
  }
  return headers;
}

/** The body and the bytes after it; undefined while the body is incomplete. */
function readChunked(buffer) {
  const parts = [];
  for (let at = 0; ;) {
    const end = buffer.indexOf('\r\n', at);
    if (end < 0) return undefined;
    const size = parseInt(buffer.subarray(at, end).toString('latin1'), 16);
    if (Number.isNaN(size)) throw new WireError('malformed', 'The response has a chunk without a size.');
    if (size === 0) {
      const last = buffer.indexOf('\r\n\r\n', end);
      return last < 0 ? undefined : { body: Buffer.concat(parts), rest: buffer.subarray(last + 4) };
    }
    if (buffer.length < end + 2 + size + 2) return undefined;
    parts.push(buffer.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}

/** One connection. Received bytes are stored until they are read. */
export class Connection {
  pending = [];
  isClosed = false;

  static open(port, withinMs = 5_000) {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
      const timer = setTimeout(() => {
        socket.destroy();
        reject(new WireError('timeout', 'The connection was not accepted in time.'));
      }, withinMs);
      socket.once('connect', () => {
        clearTimeout(timer);
        resolve(new Connection(socket));
      });
      socket.once('error', (error) => {
        clearTimeout(timer);
        reject(new WireError('refused', error.message));
      });
    });
  }

  constructor(socket) {
    this.socket = socket;
    socket.setNoDelay(true);
    // A server that has already responded may refuse the rest of a body. Its response can still be read.
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      this.pending.push(chunk);
      this.onEvent?.();
    });
    socket.on('end', () => {
      this.isClosed = true;
      socket.end();
      this.onEvent?.();
    });
    socket.on('close', () => {
      this.isClosed = true;
      this.onEvent?.();
    });
  }

  send(bytes) {
    if (!this.socket.destroyed && this.socket.writable) this.socket.write(bytes);
  }

  /** The next response on this connection. Rejects with a WireError if no complete one arrives. */
  answer(method, withinMs) {
    return new Promise((resolve, reject) => {
      const reader = new AnswerReader(method);
      const timer = setTimeout(() => finish(reject, new WireError('timeout')), withinMs);
      const finish = (settle, value) => {
        clearTimeout(timer);
        this.onEvent = undefined;
        settle(value);
      };
      this.onEvent = () => {
        try {
          while (this.pending.length > 0) {
            if (!reader.push(this.pending.shift())) continue;
            if (reader.rest.length > 0) this.pending.unshift(reader.rest);
            return finish(resolve, reader.answer());
          }
        } catch (error) {
          return finish(reject, error);
        }
        if (!this.isClosed) return undefined;
        return reader.end() ? finish(resolve, reader.answer()) : finish(reject, new WireError('closed'));
      };
      this.onEvent();
    });
  }

  close() {
    this.socket.destroy();
  }
}

/** Sends requests over connections, which it reuses while both sides allow it. */
export class Wire {
  free = [];
  /** How often a server sent bytes without a request. */
  surprises = 0;

  constructor(port) {
    this.port = port;
  }

  /** Resolves with the response and its duration `ms`. */
  async exchange(bytes, { method, withinMs }) {
    const began = performance.now();
    const reused = this.take();
    const connection = reused ?? (await Connection.open(this.port));
    try {
      connection.send(bytes);
      const answer = await connection.answer(method, withinMs);
      this.give(connection, answer);
      return { ...answer, ms: performance.now() - began };
    } catch (error) {
      connection.close();
      // The server may close an idle connection just when it is reused.
      if (reused && error.reason === 'closed' && performance.now() - began < 200) {
        return this.exchange(bytes, { method, withinMs });
      }
      error.ms = performance.now() - began;
      throw error;
    }
  }

  take() {
    for (let connection = this.free.pop(); connection; connection = this.free.pop()) {
      if (connection.pending.length > 0) this.surprises++;
      if (connection.pending.length === 0 && !connection.isClosed) return connection;
      connection.close();
    }
    return undefined;
  }

  give(connection, { headers, version }) {
    const wanted = (headers.get('connection') ?? []).join().toLowerCase();
    if (connection.isClosed || wanted.includes('close') || version !== '1.1') connection.close();
    else this.free.push(connection);
  }

  close() {
    for (const connection of this.free.splice(0)) connection.close();
  }
}
