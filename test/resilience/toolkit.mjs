/** Tools for attacks: requests, loops and sockets, all limited in number and ended when the attack is over. */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { attackerAddress } from './addresses.mjs';
import { ask, keepAlive, multipart, send } from './ask.mjs';

/** The number of connections that are opened at once. */
const AT_ONCE = 20;

export class Toolkit {
  /** The number of responses by status or error code. */
  counts = {};
  /** Facts for the report, one line each. */
  notes = [];
  sockets = new Set();
  agent = keepAlive();
  isOver = true;

  /** `context` is {port, tenantId, key, keys, victim, isShort}. */
  constructor(context) {
    Object.assign(this, context);
    this.types = `/v1/content/${this.tenantId}/types`;
    this.forms = `/v1/forms/${this.tenantId}`;
    this.media = `/v1/media/${this.tenantId}`;
  }

  begin(seconds = 600) {
    this.counts = {};
    this.notes = [];
    this.isOver = false;
    this.endsAt = Date.now() + seconds * 1000;
  }

  end() {
    this.isOver = true;
  }

  closeAll() {
    this.end();
    for (const socket of this.sockets) socket.destroy();
    this.sockets.clear();
    this.agent.destroy();
    this.agent = keepAlive();
  }

  /** Returns `full` in a full run and `short` in the short form. */
  size(full, short) {
    return this.isShort ? short : full;
  }

  count(what) {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }

  note(text) {
    this.notes.push(text);
  }

  /** Sends a request with the tenant's key on a pooled connection. Without a response, counts the error and returns undefined. */
  async send(method, path, body, options = {}) {
    const { port, key, agent } = this;
    try {
      const answer = await send({ port, key, agent, address: attackerAddress(), method, path, body, ...options });
      this.count(answer.status);
      return answer;
    } catch (error) {
      this.count(error.code ?? error.message);
      return undefined;
    }
  }

  /** Returns the `data` of a successful response. Throws for any other, so use it only to prepare. */
  async ask(method, path, body) {
    const { port, key, agent } = this;
    const { data } = await ask({ port, key, agent, address: attackerAddress(), method, path, body });
    return data;
  }

  /** Uploads a file and returns the response. Without one, counts the error and returns undefined. */
  async upload(file, filename, options = {}) {
    const { body, headers } = multipart(file, filename);
    return this.send('POST', this.media, body, { ...options, headers });
  }

  /** Uploads a file and returns the media resource with `path`, its URL without the host. Throws if that fails. */
  async mustUpload(file, filename) {
    const answer = await this.upload(file, filename);
    if (answer?.status !== 201)
      throw new Error(`The upload of ${filename} answered ${answer?.status}: ${answer?.text}`);
    const { data } = JSON.parse(answer.text);
    return { ...data, path: new URL(data.url).pathname };
  }

  /** Runs `lanes` loops of `work(lane, turn)` until the attack is over. Pauses after a failure, so that the loop does not spin. */
  async loop(lanes, work) {
    const run = async (lane) => {
      for (let turn = 0; !this.isOver; turn++) {
        const answer = await work(lane, turn);
        if (answer === undefined) await sleep(20);
      }
    };
    await Promise.all(Array.from({ length: lanes }, (_, lane) => run(lane)));
  }

  /** Runs `work(index)` `count` times, `lanes` at once, or until the attack is over. */
  async each(count, lanes, work) {
    let next = 0;
    const run = async () => {
      while (next < count && !this.isOver) await work(next++);
    };
    await Promise.all(Array.from({ length: lanes }, run));
    return next;
  }

  async untilOver() {
    while (!this.isOver) await sleep(50);
  }

  /** Resolves `graceMs` after the end of the attack. */
  async overdue(graceMs) {
    await this.untilOver();
    await sleep(graceMs);
  }

  /**
   * Opens a raw connection that reads nothing unless `onData` is given. Resolves once it is connected, or with undefined if that fails.
   * `onClose` is called when the service closes it, which a connection that reads nothing does not notice.
   */
  open({ address = attackerAddress(), onData, onClose } = {}) {
    return new Promise((resolve) => {
      const socket = connect({ host: '127.0.0.1', port: this.port, localAddress: address });
      this.sockets.add(socket);
      socket.setNoDelay(true);
      if (onData) socket.on('data', onData);
      else socket.pause();
      socket.on('error', (error) => {
        this.count(error.code);
        resolve(undefined);
      });
      socket.on('connect', () => resolve(socket));
      socket.on('close', () => {
        this.sockets.delete(socket);
        if (!this.isOver) onClose?.(socket);
      });
    });
  }

  /**
   * Holds `count` connections open during the whole attack. `write(socket, index)` sends data on each. A connection that the service closes
   * is opened again half a second later.
   */
  async hold(count, { addressOf = () => attackerAddress(), write = () => {}, onData } = {}) {
    const again = async (index) => {
      if (this.isOver) return;
      const onClose = () => {
        this.count('closed by the service');
        setTimeout(() => void again(index), 500);
      };
      const socket = await this.open({ address: addressOf(index), onData, onClose });
      if (socket && !this.isOver) write(socket, index);
    };
    const before = this.sockets.size;
    for (let index = 0; index < count && !this.isOver; index += AT_ONCE) {
      await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - index) }, (_, offset) => again(index + offset)));
      // A thousand a second, because the queue of unaccepted connections is not the target.
      await sleep(AT_ONCE);
    }
    this.note(`${this.sockets.size - before} of ${count} connections were open at once`);
  }
}

/** The raw text of a request. */
export function rawRequest(method, path, { key, headers = {}, body } = {}) {
  const lines = { Host: 'localhost', ...(key && { Authorization: `Bearer ${key}` }), ...headers };
  if (body !== undefined)
    Object.assign(lines, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${head.join('')}\r\n${body ?? ''}`;
}
