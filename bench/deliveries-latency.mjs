/** Measures how long an event waits for its first attempt while writes arrive at a constant rate. */
import { setTimeout as sleep } from 'node:timers/promises';
import { valuesOf } from './data.mjs';
import { DeliveryScene } from './deliveries-scene.mjs';
import { Histogram } from './histogram.mjs';
import { cpuTime } from './processes.mjs';

const TENANTS = 4;
const WEBHOOKS = 10;
const WARM_UP_S = 3;

/** Makes `rate` deliveries a second by creating entries through the API. */
export async function measureLatency(world, mode, rate) {
  const scene = await DeliveryScene.build(world, mode, TENANTS);
  await scene.addWebhooks(WEBHOOKS);
  const pace = rate / WEBHOOKS;
  await timed(world, scene, { pace, seconds: WARM_UP_S, webhooks: WEBHOOKS });
  const cpu = await cpuTime(scene.worker.pid);
  const { events, answers, count, seconds } = await timed(world, scene, {
    pace,
    seconds: world.options.seconds,
    webhooks: WEBHOOKS,
  });
  const busy = ((await cpuTime(scene.worker.pid)) - cpu) / 1e6 / seconds;
  await scene.stop();
  console.log(
    `${mode}: p99 ${Math.round(events.quantile(0.99))} ms at ${Math.round(count / seconds)} deliveries a second`,
  );
  return { mode, rate: count / seconds, count, worker_busy: busy, event: summary(events), answer: summary(answers) };
}

/**
 * Creates entries at `pace` a second, without waiting for responses, and returns the delays of their deliveries: `events` since the event's
 * timestamp, which the API sets before it writes; `answers` since the response to the write.
 */
export async function timed({ receiver }, scene, { pace, seconds, webhooks }) {
  await receiver.reset({ keep: true });
  const answered = new Map();
  const writes = [];
  const total = Math.max(1, Math.round(pace * seconds));
  const began = performance.now();
  for (let number = 0; number < total; number++) {
    const wait = began + (number * 1000) / pace - performance.now();
    if (wait > 0) await sleep(wait);
    const { service, entries } = scene.tenants[number % scene.tenants.length];
    const body = { fields: valuesOf(number) };
    const write = service.send('POST', entries, body).then(({ id }) => {
      answered.set(id, performance.timeOrigin + performance.now());
    });
    writes.push(write);
  }
  await Promise.all(writes);
  const lasted = (performance.now() - began) / 1000;
  const { arrivals, count } = await receiver.until(total * webhooks);
  const events = new Histogram();
  const answers = new Histogram();
  for (const { id, event, at } of arrivals) {
    events.record((at - event) * 1000);
    answers.record(Math.max(0, at - answered.get(id)) * 1000);
  }
  return { events, answers, count, seconds: lasted };
}

export function summary(histogram) {
  const [p50_ms, p90_ms, p99_ms] = [0.5, 0.9, 0.99].map((share) => histogram.quantile(share));
  return { p50_ms, p90_ms, p99_ms };
}
