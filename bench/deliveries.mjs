/** `npm run bench -- deliveries`: see README.md. */
import { join } from 'node:path';
import { readOptions, runCommand } from './command.mjs';
import { measureEventCost } from './deliveries-event-cost.mjs';
import { measureLatency } from './deliveries-latency.mjs';
import { measureNeighbour } from './deliveries-neighbour.mjs';
import { measureRelay } from './deliveries-relay.mjs';
import { startReceiver } from './deliveries-scene.mjs';
import { measureThroughput } from './deliveries-throughput.mjs';
import { Postgres } from './postgres.mjs';
import { freePort, startProgram } from './processes.mjs';
import { circumstances, save } from './results.mjs';
import { printTable, short } from './table.mjs';

const HELP = `Measures how fast events reach their receivers. See bench/README.md.

  npm run bench -- deliveries [options]

  --deliveries N  deliveries of a run at full speed (20000)
  --events N      events of a run of the relay (50000)
  --seconds S     duration of a run at half speed, and of a round beside a neighbour (6)
  --rounds R      rounds, alternately with and without the neighbour (12)
  --only a,b      only some of: throughput relay latency neighbour event
  --dist DIR      the built service (dist/src)
  --note TEXT     a note to store with the results
`;
const LIMIT_MS = 1_800_000;
/** The target, in deliveries per second. */
const AIM = 1_000;
const NEIGHBOUR_ROWS = {
  p50_ms: 'p50, ms',
  p99_ms: 'p99, ms',
  median_p99_ms: 'median of the p99s of all rounds, ms',
  worker_cpu_us: 'worker, µs a delivery',
  postgres_cpu_us: 'PostgreSQL, µs a delivery',
};

const given = readOptions(HELP, {
  deliveries: 20_000,
  events: 50_000,
  seconds: 6,
  rounds: 12,
  only: 'throughput,relay,latency,neighbour,event',
});
const options = { ...given, only: given.only.split(',') };

await runCommand(LIMIT_MS, measure);

async function measure(folder) {
  const postgres = await Postgres.start({ dist: options.dist, folder });
  const context = circumstances(options, postgres);
  const world = { options, folder, postgres, redisUrl: await startRedis(folder), receiver: await startReceiver() };
  const modes = ['bull', 'in process'];
  const results = {};
  const is = (name) => options.only.includes(name);
  if (is('throughput')) {
    results.throughput = await inTurn(modes, (mode) => measureThroughput(world, mode));
    printThroughput(results.throughput);
  }
  if (is('relay')) {
    results.relay = await inTurn(modes, (mode) => measureRelay(world, mode));
    printRelay(results.relay);
  }
  if (is('latency')) {
    const half = new Map(results.throughput?.map(({ mode, many }) => [mode, many.rate / 2]));
    const loads = modes.flatMap((mode) => [AIM / 2, half.get(mode)].filter(Boolean).map((rate) => [mode, rate]));
    results.latency = await inTurn(loads, ([mode, rate]) => measureLatency(world, mode, rate));
    printLatency(results.latency);
  }
  if (is('neighbour')) {
    results.neighbour = await inTurn(modes, (mode) => measureNeighbour(world, mode));
    printNeighbour(results.neighbour);
  }
  if (is('event')) {
    results.event = await measureEventCost(world);
    printEventCost(results.event);
  }
  save('deliveries', { circumstances: context, options: { ...options, dist: undefined }, ...results });
}

async function inTurn(items, work) {
  const results = [];
  for (const item of items) results.push(await work(item));
  return results;
}

async function startRedis(folder) {
  const port = await freePort();
  const flags = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder];
  startProgram('redis-server', flags, { env: { PATH: process.env.PATH }, logFile: join(folder, 'redis.log') });
  return `redis://127.0.0.1:${port}`;
}

function printThroughput(results) {
  console.log('\nDeliveries per second with one worker, from a backlog; processor time per delivery in µs.\n');
  printTable(
    ['', 'deliveries/s', 'worker cpu', 'pg cpu', 'receiver cpu', 'one core of the worker'],
    results.flatMap(({ mode, one, many }) =>
      [
        ['20 webhooks of 4 tenants', many],
        ['one webhook', one],
      ].map(([shape, { rate, worker_cpu_us, postgres_cpu_us, receiver_cpu_us }]) => [
        `${mode}, ${shape}`,
        short(rate),
        ...[worker_cpu_us, postgres_cpu_us, receiver_cpu_us].map(short),
        `${short(1e6 / worker_cpu_us)}/s`,
      ]),
    ),
  );
}

function printRelay(results) {
  console.log(
    '\nEvents per second that the relay passes to 20 webhooks of 4 tenants, whose filters fit one in a hundred; processor time per event in µs.\n',
  );
  printTable(
    ['', 'events/s', 'worker cpu', 'pg cpu'],
    results.map(({ mode, rate, worker_cpu_us, postgres_cpu_us }) => [
      mode,
      ...[rate, worker_cpu_us, postgres_cpu_us].map(short),
    ]),
  );
}

function printLatency(results) {
  console.log(
    '\nFrom the event to its first attempt at the receiver, in ms, at half the target rate and at half the measured rate.\n',
  );
  printTable(
    ['', 'deliveries/s', 'p50', 'p99', 'since the response: p50', 'p99', 'worker busy'],
    results.map(({ mode, rate, event, answer, worker_busy }) => [
      mode,
      short(rate),
      ...[event.p50_ms, event.p99_ms, answer.p50_ms, answer.p99_ms].map(short),
      `${Math.round(worker_busy * 100)} %`,
    ]),
  );
}

function printNeighbour(results) {
  console.log(
    '\nA healthy webhook alone, and beside a webhook of the same tenant that hangs with 10,000 pending deliveries.\n',
  );
  printTable(
    ['', 'alone', 'beside', 'change'],
    results.flatMap(({ mode, alone, beside }) =>
      Object.entries(NEIGHBOUR_ROWS).map(([name, title]) => [
        `${mode}, ${title}`,
        short(alone[name]),
        short(beside[name]),
        percent(beside[name] / alone[name] - 1),
      ]),
    ),
  );
}

function printEventCost(results) {
  console.log('\nCREATE_ENTRY with and without its event, alternating on the same connections.\n');
  printTable(
    ['', 'with', 'without', 'the event adds'],
    results.map(({ title, event, bare }) => [title, short(event), short(bare), percent(event / bare - 1)]),
  );
}

function percent(share) {
  return `${share < 0 ? '−' : '+'}${Math.abs(share * 100).toFixed(1)} %`;
}
