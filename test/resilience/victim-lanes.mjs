/**
 * The victim's process: a tenant's backend, its visitors, its load balancer and the receiver of its webhook. Messages: `go` {port, key,
 * paths}, `halt`. Sends its measurements four times a second, so that they are not lost if this process is killed.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { setPriority } from 'node:os';
import { setInterval } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { keepAlive, send } from './ask.mjs';
import { PROBE, VICTIM, visitorAddress } from './addresses.mjs';

const TLS = fileURLToPath(new URL('../support/tls/', import.meta.url));
const TIMEOUT_MS = 15_000;
const REPORT_EVERY_MS = 250;
const BACKEND_LANES = 3;
const BACKEND_INTERVAL_MS = 20;
const VISITOR_INTERVAL_MS = 80;
const PROBE_INTERVAL_MS = 100;
const PROBE_TIMEOUT_MS = 5_000;
/** Below the limit of ten submissions a minute for each address. */
const SUBMISSIONS_OF_VISITOR = 8;

let round = { isOver: true };
let visitors = 0;
let submissions = 0;
let entries = 0;
let batch = emptyBatch();
const inProgress = new Map();

process.on('disconnect', () => process.exit(0));
process.on('message', ({ type, ...message }) => {
  round.isOver = true;
  if (type === 'go') start(message);
});
setInterval(report, REPORT_EVERY_MS);
try {
  // The attack's load must slow down the service, not the measurement.
  setPriority(-5);
} catch {
  // Not every user may do this. The figures are then slightly less accurate.
}
receive();

function start({ port, key, paths }) {
  round = { isOver: false, port, key, paths };
  const mine = round;
  for (let number = 0; number < BACKEND_LANES; number++) void backendLane(mine, number);
  void visitorLane(mine);
  void probeLane(mine, 'live', 0);
  void probeLane(mine, 'ready', PROBE_INTERVAL_MS / 2);
}

/** Sends one request after another over a keep-alive connection, at most one every 20 ms. */
async function backendLane(mine, number) {
  const { port, key, paths } = mine;
  const agent = keepAlive(1);
  const base = { port, key, agent, address: VICTIM, timeoutMs: TIMEOUT_MS };
  const kinds = ['get', 'get', 'list', 'create', 'get', 'list', 'get', 'create', 'list', 'get'];
  let turn = number * 3;
  await paced(mine, BACKEND_INTERVAL_MS, async (intervalMs) => {
    const kind = kinds[turn++ % kinds.length];
    if (kind === 'get') return measure(kind, intervalMs, { ...base, path: paths.entries[turn % paths.entries.length] });
    if (kind === 'list') return measure(kind, intervalMs, { ...base, path: `${paths.type}/entries?per_page=25` });
    const title = `victim ${process.pid} ${entries++}`;
    const body = { fields: { title, number: turn }, status: 'draft' };
    const status = await measure(kind, intervalMs, { ...base, method: 'POST', path: `${paths.type}/entries`, body });
    if (status === 201) batch.created.push([title, Date.now()]);
  });
  agent.destroy();
}

/** Each visitor uses a new connection and another address. */
async function visitorLane(mine) {
  const { port, paths } = mine;
  await paced(mine, VISITOR_INTERVAL_MS, (intervalMs) => {
    if (visitors++ % 2 === 0) {
      return measure('picture', intervalMs, { port, path: paths.picture, address: VICTIM, timeoutMs: TIMEOUT_MS });
    }
    const address = visitorAddress(Math.floor(submissions++ / SUBMISSIONS_OF_VISITOR));
    const body = { fields: { email: 'visitor@example.com', message: `Hello ${submissions}` } };
    const headers = { 'x-forwarded-for': address };
    const options = { port, method: 'POST', path: paths.submit, body, headers, address, timeoutMs: TIMEOUT_MS };
    return measure('submit', intervalMs, options);
  });
}

async function probeLane(mine, name, delayMs) {
  await sleep(delayMs);
  const options = { port: mine.port, path: `/health/${name}`, address: PROBE, timeoutMs: PROBE_TIMEOUT_MS };
  await paced(mine, PROBE_INTERVAL_MS, (intervalMs) => measure(name, intervalMs, options));
}

/** Calls `work` at most once per interval, or immediately after a call that took longer. */
async function paced(mine, intervalMs, work) {
  let next = performance.now();
  while (!mine.isOver) {
    await work(intervalMs);
    next = Math.max(next + intervalMs, performance.now());
    await sleep(next - performance.now());
  }
}

/** Records the response's status and time, or the error. */
async function measure(kind, intervalMs, options) {
  const mine = round;
  const at = Date.now();
  const began = performance.now();
  const token = Symbol(kind);
  inProgress.set(token, { at, kind, intervalMs });
  const outcome = await send({ ...options, discard: true }).then(
    ({ status }) => status,
    ({ code = 'UNKNOWN' }) => code,
  );
  inProgress.delete(token);
  // Requests in progress when the service was stopped on purpose are not failures.
  if (!mine.isOver) batch.samples.push({ at, ms: performance.now() - began, kind, outcome, intervalMs });
  return outcome;
}

/** Receives deliveries and responds at once. */
function receive() {
  const server = createServer({ key: readFileSync(`${TLS}key.pem`), cert: readFileSync(`${TLS}cert.pem`) });
  server.on('request', (request, response) => {
    const chunks = [];
    request.on('error', () => {});
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      response.writeHead(204).end();
      const { data } = JSON.parse(Buffer.concat(chunks).toString());
      batch.arrived.push([data.fields?.title, Date.now()]);
    });
  });
  server.listen(0, '127.0.0.1', () => process.send({ receiverPort: server.address().port }));
}

function report() {
  batch.inProgress = [...inProgress.values()];
  process.send(batch);
  batch = emptyBatch();
}

function emptyBatch() {
  return { samples: [], created: [], arrived: [], inProgress: [] };
}
