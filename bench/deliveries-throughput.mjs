/** Measures how many deliveries per second one worker makes from a backlog. */
import { DeliveryScene } from './deliveries-scene.mjs';
import { cpuTime } from './processes.mjs';

const WARM_UP = 2_000;

/** Measures 20 webhooks of 4 tenants, and one webhook, which may use only its share of a worker. */
export async function measureThroughput(world, mode) {
  const many = await measureShape(world, mode, { tenants: 4, webhooks: 5 });
  const one = await measureShape(world, mode, { tenants: 1, webhooks: 1 });
  return { mode, many, one };
}

async function measureShape(world, mode, { tenants, webhooks }) {
  const { options, postgres, receiver } = world;
  const scene = await DeliveryScene.build(world, mode, tenants);
  await scene.addWebhooks(webhooks);
  const send = async (deliveries) => {
    await receiver.reset();
    const events = Math.ceil(deliveries / tenants / webhooks);
    await scene.recordEvents(events);
    const seen = await receiver.until(events * tenants * webhooks);
    await scene.settled();
    return seen;
  };
  await send(WARM_UP);
  const processes = async () => [
    await cpuTime(scene.worker.pid),
    await postgres.cpuTime(),
    await cpuTime(receiver.pid),
  ];
  const before = await processes();
  const { count, first, last } = await send(options.deliveries);
  const [worker, database, receiving] = (await processes()).map((time, index) => (time - before[index]) / count);
  await scene.stop();
  const rate = count / ((last - first) / 1000);
  console.log(`${mode}, ${tenants * webhooks} webhooks: ${Math.round(rate)} deliveries per second`);
  return { rate, count, worker_cpu_us: worker, postgres_cpu_us: database, receiver_cpu_us: receiving };
}
