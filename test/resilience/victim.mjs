/** Collects the victim's measurements for the runner. */
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startModule } from '../../bench/processes.mjs';

const LANES = fileURLToPath(new URL('./victim-lanes.mjs', import.meta.url));
/** The kinds of health checks. */
const PROBES = ['live', 'ready'];

export class Victim {
  samples = [];
  inProgress = [];
  /** The times when each title was acknowledged, and when its delivery arrived. */
  created = new Map();
  arrived = new Map();

  static async start() {
    const victim = new Victim();
    victim.process = startModule(LANES);
    const [{ receiverPort }] = await once(victim.process.child, 'message');
    victim.receiverUrl = `https://localhost:${receiverPort}/victim`;
    victim.process.child.on('message', (batch) => victim.take(batch));
    return victim;
  }

  take({ samples, created, arrived, inProgress }) {
    this.samples.push(...samples);
    this.inProgress = inProgress;
    for (const [title, at] of created) this.created.set(title, at);
    for (const [title, at] of arrived) if (!this.arrived.has(title)) this.arrived.set(title, at);
  }

  /** Starts sending requests, and deletes earlier measurements. */
  go({ port, key, paths }) {
    this.samples = [];
    this.inProgress = [];
    this.created.clear();
    this.process.child.send({ type: 'go', port, key, paths });
  }

  halt() {
    this.process.child.send({ type: 'halt' });
  }

  /** API requests sent from `from` to `to`. Those without a response yet have their waiting time so far. */
  requests(from, to) {
    return this.between(from, to).filter(({ kind }) => !PROBES.includes(kind));
  }

  probes(from, to) {
    return this.between(from, to).filter(({ kind }) => PROBES.includes(kind));
  }

  between(from, to) {
    const now = Date.now();
    const waiting = this.inProgress.map((request) => ({ ...request, ms: now - request.at, outcome: 'WAITING' }));
    return [...this.samples, ...waiting].filter(({ at }) => at >= from && at < to);
  }

  /** The milliseconds from each entry's acknowledgement in that period to its delivery; Infinity while it is missing. */
  deliveries(from, to) {
    return [...this.created]
      .filter(([, at]) => at >= from && at < to)
      .map(([title, at]) => Math.max(0, (this.arrived.get(title) ?? Infinity) - at));
  }
}
