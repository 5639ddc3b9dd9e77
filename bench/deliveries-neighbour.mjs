/** Measures the effect of a webhook that hangs, with many pending deliveries, on a healthy webhook of the same tenant. */
import { using } from './postgres.mjs';
import { DeliveryScene, waitFor } from './deliveries-scene.mjs';
import { summary, timed } from './deliveries-latency.mjs';
import { Histogram } from './histogram.mjs';
import { cpuTime } from './processes.mjs';

const PENDING = 10_000;
/** Writes per second, each with one delivery to the healthy webhook. */
const PACE = 50;
const WARM_UP_S = 3;

/** Alternates rounds with and without the neighbour, so that other work on the machine affects both. */
export async function measureNeighbour(world, mode) {
  const { options, postgres, receiver } = world;
  const scene = await DeliveryScene.build(world, mode, 1);
  await scene.addWebhooks(1);
  const [hanging] = await scene.addWebhooks(1, { path: '/hang', events: ['media.uploaded'] });
  const pile = new Pile(scene, hanging);
  const round = (seconds) => timed(world, scene, { pace: PACE, seconds, webhooks: 1 });
  await round(WARM_UP_S);
  const parts = { alone: [], beside: [] };
  const measure = async (into) => {
    const cpu = await cpuTime(scene.worker.pid);
    const postgresCpu = await postgres.cpuTime();
    const { events, count } = await round(options.seconds);
    into.push({
      events,
      worker_cpu_us: ((await cpuTime(scene.worker.pid)) - cpu) / count,
      postgres_cpu_us: ((await postgres.cpuTime()) - postgresCpu) / count,
    });
  };
  for (let number = 0; number < options.rounds; number++) {
    await measure(parts.alone);
    await pile.up();
    await waitFor(async () => (await receiver.read()).hanging > 0, 'deliveries hang');
    await measure(parts.beside);
    await pile.away();
    await receiver.release();
  }
  await scene.stop();
  const result = { mode, alone: summaryOf(parts.alone), beside: summaryOf(parts.beside) };
  console.log(
    `${mode}: p99 ${Math.round(result.alone.p99_ms)} ms alone, ${Math.round(result.beside.p99_ms)} ms beside`,
  );
  return result;
}

/** The pending deliveries of the webhook that hangs. */
class Pile {
  constructor({ databaseUrl, tenants, ids }, webhook) {
    Object.assign(this, { databaseUrl, tenantId: tenants[0].id, ids, webhookId: ids.parseId('wh', webhook) });
  }

  async up() {
    const make = () => Array.from({ length: PENDING }, () => this.ids.newUuid());
    await this.run(
      `WITH pile AS (SELECT * FROM unnest($3::uuid[], $4::uuid[]) AS pile (event_id, id)), recorded AS (
         INSERT INTO events (tenant_id, id, type, data, occurred_at)
         SELECT $1, event_id, 'media.uploaded', '{}', now() FROM pile)
       INSERT INTO deliveries
         (tenant_id, id, webhook_id, event_id, event_type, status, attempts, next_attempt_at, created_at)
       SELECT $1, id, $2, event_id, 'media.uploaded', 'pending', 0, now(), now() FROM pile`,
      [make(), make()],
    );
  }

  async away() {
    await this.run('DELETE FROM deliveries WHERE tenant_id = $1 AND webhook_id = $2', []);
  }

  async run(sql, values) {
    await using(this.databaseUrl, async (client) => {
      await client.query(sql, [this.tenantId, this.webhookId, ...values]);
      // Otherwise autovacuum would do this later, in the middle of a round.
      await client.query('VACUUM (ANALYZE) deliveries, events');
    });
  }
}

function summaryOf(rounds) {
  const all = new Histogram();
  for (const { events } of rounds) all.add(events);
  const p99s_ms = rounds.map(({ events }) => events.quantile(0.99));
  return {
    ...summary(all),
    median_p99_ms: median(p99s_ms),
    p99s_ms,
    worker_cpu_us: median(rounds.map(({ worker_cpu_us }) => worker_cpu_us)),
    postgres_cpu_us: median(rounds.map(({ postgres_cpu_us }) => postgres_cpu_us)),
  };
}

function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return (sorted[Math.floor((sorted.length - 1) / 2)] + sorted[Math.ceil((sorted.length - 1) / 2)]) / 2;
}
