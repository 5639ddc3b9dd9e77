/** An open loop: requests are sent at a given rate, without waiting for responses. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Histogram } from '../../bench/histogram.mjs';
import { attackerAddress } from './addresses.mjs';
import { RawClient } from './raw-client.mjs';

const TICK_MS = 5;
const ADDRESSES = 64;

/** Counts the responses by meaning, and records the times of accepted and rejected requests. */
export class Tally {
  accepted = new Histogram();
  refused = new Histogram();
  counts = { accepted: 0, refused: 0, 'refused without Retry-After': 0, 'not sent': 0 };

  take({ status, retryAfter }, ms) {
    if (status >= 200 && status < 300) {
      this.accepted.record(ms * 1000);
      this.counts.accepted++;
    } else if (status === 503) {
      this.refused.record(ms * 1000);
      this.counts.refused++;
      if (!/^\d+$/.test(retryAfter ?? '')) this.counts['refused without Retry-After']++;
    } else this.counts[status] = (this.counts[status] ?? 0) + 1;
  }

  /** All outcomes that are neither a success nor a proper 503. */
  wrong() {
    const isRight = ['accepted', 'refused', 'not sent'];
    return Object.entries(this.counts).filter(([name, count]) => count > 0 && !isRight.includes(name));
  }
}

/** Measures the sustainable rate in requests a second: a closed loop over some connections. */
export async function sustainableRate({ port, requests, connections, seconds }) {
  const tally = new Tally();
  const ends = performance.now() + seconds * 1000;
  const lane = async (number) => {
    const client = new RawClient({ port, address: attackerAddress(number % ADDRESSES) });
    for (let turn = number; performance.now() < ends; turn += connections) {
      const began = performance.now();
      tally.take(await client.request(requests(turn)), performance.now() - began);
    }
    client.close();
  };
  await Promise.all(Array.from({ length: connections }, (_, number) => lane(number)));
  return { rate: tally.counts.accepted / seconds, p99: tally.accepted.quantile(0.99), counts: tally.counts };
}

/**
 * Sends `rate` requests a second until `isOver()`, on up to `maxConnections` connections. A request without a free connection counts as not
 * sent. The time of a response counts from when its request was due.
 */
export async function offer({ port, requests, rate, maxConnections, isOver }) {
  const tally = new Tally();
  const clients = [];
  const idle = [];
  const began = performance.now();
  let sent = 0;
  let offered = 0;
  while (!isOver()) {
    const due = Math.floor(((performance.now() - began) / 1000) * rate);
    for (; offered < due; offered++) {
      const client = idle.pop() ?? opened(clients, { port, maxConnections });
      if (!client) {
        tally.counts['not sent']++;
        continue;
      }
      const dueAt = began + (offered / rate) * 1000;
      sent++;
      void client.request(requests(offered)).then((answer) => {
        if (client.isDone) return;
        tally.take(answer, performance.now() - dueAt);
        idle.push(client);
      });
    }
    await sleep(TICK_MS);
  }
  const seconds = (performance.now() - began) / 1000;
  for (const client of clients) {
    client.isDone = true;
    client.close();
  }
  return { tally, offered, sent, seconds, connections: clients.length };
}

function opened(clients, { port, maxConnections }) {
  if (clients.length >= maxConnections) return undefined;
  const client = new RawClient({ port, address: attackerAddress(clients.length % ADDRESSES) });
  clients.push(client);
  return client;
}
