/** Measures how many events per second the relay passes to webhooks whose filters fit one event in a hundred. */
import { setTimeout as sleep } from 'node:timers/promises';
import { DeliveryScene } from './deliveries-scene.mjs';
import { open } from './postgres.mjs';
import { cpuTime } from './processes.mjs';

const TENANTS = 4;
const WEBHOOKS = 5;
const FITTING = 100;
const WARM_UP = 4_000;
const POLL_MS = 10;

export async function measureRelay(world, mode) {
  const { options, postgres, receiver } = world;
  const scene = await DeliveryScene.build(world, mode, TENANTS);
  for (const tenant of scene.tenants) tenant.rareType = await scene.addType(tenant, 'Rare');
  await scene.addWebhooks(WEBHOOKS, { filtersOf: ({ rareType }) => ({ content_types: [rareType] }) });
  const watching = await open(scene.databaseUrl);
  const relay = async (events) => {
    await receiver.reset();
    const each = Math.ceil(events / TENANTS);
    await scene.recordVersions(each, FITTING);
    const seconds = await timeOfRelay(watching);
    await receiver.until(Math.ceil(each / FITTING) * TENANTS * WEBHOOKS);
    await scene.settled();
    return { seconds, count: each * TENANTS };
  };
  await relay(WARM_UP);
  const processes = async () => [await cpuTime(scene.worker.pid), await postgres.cpuTime()];
  const before = await processes();
  const { seconds, count } = await relay(options.events);
  const [worker, database] = (await processes()).map((time, index) => (time - before[index]) / count);
  await watching.end();
  await scene.stop();
  const rate = count / seconds;
  console.log(`${mode}: ${Math.round(rate)} events per second passed by the relay`);
  return { mode, rate, count, worker_cpu_us: worker, postgres_cpu_us: database };
}

/** The seconds from the first batch of the relay until no event is pending. */
async function timeOfRelay(client) {
  const pending = async () => (await client.query('SELECT count(*)::int AS count FROM pending_events')).rows[0].count;
  const all = await pending();
  while ((await pending()) === all) await sleep(POLL_MS);
  const began = performance.now();
  while ((await pending()) > 0) await sleep(POLL_MS);
  return (performance.now() - began) / 1000;
}
