/**
 * The load generator's process. It keeps connections open, sends prepared requests, and checks the status and number of items of every
 * response. It uses raw sockets to leave the machine's other core to the server.
 *
 * Messages: `prepare` {port, connections, requests}, `run` {milliseconds} (returns the measurements), `close`.
 */
import { connect } from 'node:net';
import { Histogram } from './histogram.mjs';

/** Longer than the service's time-out for a query. */
const TIMEOUT_MS = 70_000;
const END_OF_HEAD = Buffer.from('\r\n\r\n');
const MAX_FAULTS = 5;

let clients = [];
let requests = [];
let next = 0;

process.on('disconnect', () => process.exit(0));
process.on('message', (message) => {
  handlers[message.type](message).then(
    (result) => process.send({ result }),
    (error) => process.send({ error: error.message }),
  );
});

const handlers = {
  async prepare({ port, connections, requests: texts }) {
    requests = texts.map(({ text, status, items, marker }) => ({
      bytes: Buffer.from(text),
      status: String(status),
      items,
      marker: Buffer.from(marker),
    }));
    next = 0;
    clients = await Promise.all(Array.from({ length: connections }, () => Client.open(port)));
  },

  async run({ milliseconds }) {
    const run = { ends: performance.now() + milliseconds, count: 0, bytes: 0, histogram: new Histogram(), faults: [] };
    const began = performance.now();
    const cpu = process.cpuUsage();
    await Promise.all(clients.map((client) => client.drive(run)));
    const seconds = (performance.now() - began) / 1000;
    const { user, system } = process.cpuUsage(cpu);
    const { count, bytes, histogram, faults } = run;
    return { count, bytes, seconds, faults, counts: histogram.counts, cpu: (user + system) / 1e6 };
  },

  async close() {
    for (const client of clients) client.socket.destroy();
    clients = [];
  },
};

/** One keep-alive connection with one request at a time. */
class Client {
  static open(port) {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => resolve(new Client(socket))).once('error', reject);
      socket.setNoDelay(true);
    });
  }

  constructor(socket) {
    this.socket = socket;
    this.chunks = [];
    this.size = 0;
    this.needed = -1;
    socket.on('data', (chunk) => this.receive(chunk));
    socket.on('error', () => {});
    socket.on('close', () => this.finish?.('the connection was closed'));
  }

  /** Sends requests until the run's time is over. */
  drive(run) {
    return new Promise((resolve) => {
      let request;
      let sent;
      const send = () => {
        if (performance.now() >= run.ends || run.faults.length >= MAX_FAULTS || this.socket.destroyed) {
          this.finish = undefined;
          this.socket.setTimeout(0);
          return resolve();
        }
        request = requests[next++ % requests.length];
        sent = performance.now();
        this.socket.write(request.bytes);
      };
      this.finish = (broken, head, answer, start) => {
        const fault = broken ?? faultOf(request, head, answer, start);
        if (fault) {
          run.faults.push(`${request.bytes.toString('latin1').split('\r\n', 1)[0]}: ${fault}`);
        } else {
          run.histogram.record((performance.now() - sent) * 1000);
          run.count++;
          run.bytes += answer.length;
        }
        send();
      };
      this.socket.setTimeout(TIMEOUT_MS, () => this.socket.destroy());
      send();
    });
  }

  receive(chunk) {
    this.chunks.push(chunk);
    this.size += chunk.length;
    if (this.needed < 0) {
      const answer = this.chunks.length === 1 ? chunk : Buffer.concat(this.chunks);
      const end = answer.indexOf(END_OF_HEAD);
      if (end < 0) return;
      this.head = answer.latin1Slice(0, end);
      this.start = end + 4;
      const length = /\r\ncontent-length: *(\d+)/i.exec(this.head)?.[1];
      if (length === undefined) return this.socket.destroy();
      this.needed = this.start + Number(length);
    }
    if (this.size < this.needed) return;
    const answer = this.chunks.length === 1 ? this.chunks[0] : Buffer.concat(this.chunks);
    this.chunks = [];
    this.size = 0;
    this.needed = -1;
    this.finish?.(undefined, this.head, answer, this.start);
  }
}

function faultOf({ status, items, marker }, head, answer, start) {
  const actual = head.slice(9, 12);
  if (actual !== status) return `got ${actual}: ${answer.toString('utf8', start, start + 300)}`;
  if (items === undefined) return undefined;
  let found = 0;
  for (let at = answer.indexOf(marker, start); at >= 0; at = answer.indexOf(marker, at + marker.length)) found++;
  return found === items ? undefined : `got ${found} items, not ${items}`;
}
