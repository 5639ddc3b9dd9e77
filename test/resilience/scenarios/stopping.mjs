import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { keepAlive } from '../ask.mjs';
import { Client } from '../client.mjs';
import { eventually } from '../eventually.mjs';

const DELAY_MS = 1_500;
const LANES = 20;
const PAUSE_MS = 5;
const LOAD_MS = 1_000;
/** Requests in progress may finish, but must not delay the stop for long. */
const STOP_LIMIT_MS = 25_000;
const UPLOAD_CHUNKS = 30;
const CHUNK_EVERY_MS = 100;

export default {
  finding: 9,
  title: `SIGTERM under ${LANES} keep-alive connections and a slow upload, SHUTDOWN_DELAY=${DELAY_MS}ms`,
  tenant: 'stopped',

  async play(world) {
    const service = world.serviceIn('stopping', { env: { SHUTDOWN_DELAY: `${DELAY_MS}ms` } });
    await service.start();
    const client = new Client(service, { tenantId: 'ten_stopped', key: world.keysOf('ten_stopped').all });
    const type = await client.ask('POST', client.types, { name: 'Stop', fields: [{ name: 'text', type: 'text' }] });
    const path = `${client.types}/${type.id}/entries`;

    const load = new Load(client, path);
    const timeline = new Timeline(service);
    const upload = slowUpload(client);
    await sleep(LOAD_MS);
    const from = performance.now();
    timeline.since = from;
    const code = await service.signal('SIGTERM', STOP_LIMIT_MS);
    const seconds = ((performance.now() - from) / 1000).toFixed(1);
    await Promise.all([load.stop(), timeline.stop()]);
    const faults = [...load.faults(), ...timeline.faults()];
    const uploaded = await upload;
    if (uploaded !== '201') faults.push(`the upload that had started before ended with ${uploaded}`);
    if (code !== 0)
      faults.push(code === undefined ? `it did not end within ${STOP_LIMIT_MS / 1000} s` : `it ended with ${code}`);
    await service.end();
    return {
      faults,
      notes: [`${load.answered} requests answered, ${load.told} connections told to close; ended after ${seconds} s`],
    };
  },
};

/** Clients that keep their connection until a response says that it closes, and then stop. */
class Load {
  answered = 0;
  told = 0;
  broken = {};
  isOver = false;

  constructor(client, path) {
    this.lanes = Array.from({ length: LANES }, (_, number) => this.lane(client, path, number));
  }

  async lane(client, path, number) {
    const agent = keepAlive(1);
    for (let turn = number; !this.isOver; turn++) {
      const [method, body] = turn % 3 ? ['GET'] : ['POST', { fields: { text: `${turn}` } }];
      const { status, headers } = await client.send(method, path, body, { agent });
      // The server no longer listens, so this request was never received.
      if (status === 'ECONNREFUSED') break;
      if (status === 200 || status === 201) this.answered++;
      else this.broken[status] = (this.broken[status] ?? 0) + 1;
      if (headers.connection === 'close') {
        this.told++;
        break;
      }
      await sleep(PAUSE_MS);
    }
    agent.destroy();
  }

  async stop() {
    this.isOver = true;
    await Promise.all(this.lanes);
  }

  faults() {
    const faults = Object.entries(this.broken).map(
      ([status, count]) => `${count} requests in progress ended with ${status}`,
    );
    if (this.told < LANES)
      faults.push(`${LANES - this.told} of ${LANES} connections got no response with Connection: close`);
    return faults;
  }
}

/** The statuses of /health/ready over time, each requested on a new connection. */
class Timeline {
  answers = [];
  isOver = false;
  since = Infinity;

  constructor(service) {
    this.running = this.watch(service);
  }

  async watch(service) {
    while (!this.isOver) {
      const at = performance.now();
      this.answers.push({ at, status: await service.readiness() });
      await sleep(20);
    }
  }

  async stop() {
    this.isOver = true;
    await this.running;
  }

  faults() {
    const after = this.answers
      .filter(({ at }) => at > this.since)
      .map(({ at, status }) => ({ ms: at - this.since, status }));
    const first = after.find(({ status }) => status !== 200);
    if (first?.status !== 503) return [`/health/ready changed from 200 to ${first?.status} without 503 in between`];
    const refused = after.find(({ status }) => status === 'ECONNREFUSED');
    // A probe's time is when it was sent. The listener closes a little later.
    if (refused && refused.ms < DELAY_MS * 0.9) return [`the listener closed after only ${Math.round(refused.ms)} ms`];
    const broken = after.filter(({ status }) => ![200, 503, 'ECONNREFUSED', 'ECONNRESET'].includes(status));
    return broken.map(({ status }) => `/health/ready ended with ${status}`);
  }
}

/** Uploads a file for three seconds. Returns the status, or the error that ended the upload. */
async function slowUpload({ service, key, media }) {
  const boundary = 'slow-upload';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="slow.txt"\r\n\r\n`;
  const chunk = 'slow upload line\n'.repeat(50);
  const tail = `\r\n--${boundary}--\r\n`;
  const length = head.length + chunk.length * UPLOAD_CHUNKS + tail.length;
  const lines = [
    `POST ${media} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${key}`,
    `Content-Length: ${length}`,
  ];
  const socket = connect(service.port, '127.0.0.1');
  let answer = '';
  let ended;
  socket.on('data', (bytes) => (answer += bytes.toString()));
  socket.on('error', ({ code }) => (ended = code));
  socket.on('close', () => (ended ??= 'a closed connection'));
  socket.write(`${lines.join('\r\n')}\r\nContent-Type: multipart/form-data; boundary=${boundary}\r\n\r\n${head}`);
  for (let count = 0; count < UPLOAD_CHUNKS && !ended; count++) {
    socket.write(chunk);
    await sleep(CHUNK_EVERY_MS);
  }
  if (!ended) socket.write(tail);
  await eventually(() => /^HTTP\/1\.1 \d+/.test(answer) || ended, 15_000);
  socket.destroy();
  return /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? ended ?? 'no answer';
}
