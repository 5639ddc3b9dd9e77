import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';
import { Metrics } from '../observability/metrics.js';
import { Backlog, type BehindSubscriber, type Kind, type Waiting } from './backlog.js';

/** A scrape waits for the tables no longer than this. A later scrape gets the result. */
const WAIT_MS = 2_000;

const TEXTS: Record<Kind, { name: string; what: string }> = {
  events: {
    name: 'events',
    what: 'Events that have no position in the feed yet, and were not passed to webhooks and mail',
  },
  deliveries: {
    name: 'deliveries',
    what: 'Webhook deliveries that wait for an attempt, also for a retry at a later time',
  },
  mails: { name: 'mails', what: 'Emails that wait to be sent, also for a retry at a later time' },
  letters: {
    name: 'letters',
    what: 'Emails to people, such as invitations, that wait to be sent, also for a retry at a later time',
  },
  due: { name: 'scheduled_jobs', what: 'Work of a time that has come, such as schedules, which is not done' },
};
const KINDS = Object.keys(TEXTS) as Kind[];
const SHARED = 'Read from the database, so that every instance reports the same number: use max, not sum.';
const BEHIND = 'Events that a subscriber with a position of its own has not passed';

/**
 * Metrics of the work that waits in the tables. They are added to those of the processes and never summed, because every process would
 * report the same numbers. If the tables cannot be read in time, they are missing.
 */
@Injectable()
export class BacklogMetrics {
  private readonly registry = new Registry();
  private readonly gauges = new Map(KINDS.map((kind) => [kind, this.gaugesOf(kind)]));
  private readonly ofSubscribers = new Registry();
  private readonly behind = this.subscriberGauge('pending', `${BEHIND}.`);
  private readonly oldestBehind = this.subscriberGauge('oldest_seconds', `${BEHIND}: the age of the oldest, or 0.`);

  constructor(
    metrics: Metrics,
    private readonly backlog: Backlog,
  ) {
    metrics.addShared(() => this.text());
  }

  private async text(): Promise<string> {
    const late = sleep(WAIT_MS, undefined, { ref: false });
    const inTime = <Value>(reading: Promise<Value>) => Promise.race([reading.catch(() => undefined), late]);
    const waiting = await inTime(this.backlog.waiting());
    const subscribers = await inTime(this.backlog.subscribers());
    return (await this.textOf(waiting)) + (await this.subscribersText(subscribers));
  }

  private async textOf(waiting: Record<Kind, { all: Waiting }> | undefined): Promise<string> {
    if (!waiting) return '';
    for (const [kind, set] of this.gauges) set(waiting[kind].all);
    return this.registry.metrics();
  }

  private async subscribersText(subscribers: readonly BehindSubscriber[] = []): Promise<string> {
    if (subscribers.length === 0) return '';
    // A subscriber that was retired has no metrics any more.
    this.ofSubscribers.resetMetrics();
    for (const { name, all } of subscribers) {
      this.behind.set({ subscriber: name }, all.pending);
      this.oldestBehind.set({ subscriber: name }, ageOf(all.oldest));
    }
    return this.ofSubscribers.metrics();
  }

  private subscriberGauge(suffix: string, help: string): Gauge<'subscriber'> {
    const [name, labelNames] = [`trivet_subscriber_${suffix}`, ['subscriber'] as const];
    return new Gauge({ name, labelNames, help: `${help} ${SHARED}`, registers: [this.ofSubscribers] });
  }

  private gaugesOf(kind: Kind): (waiting: Waiting) => void {
    const { name, what } = TEXTS[kind];
    const gauge = (suffix: string, help: string) =>
      new Gauge({ name: `trivet_${name}_${suffix}`, help: `${help} ${SHARED}`, registers: [this.registry] });
    const gauges: [Gauge, (waiting: Waiting) => number][] = [
      [gauge('pending', `${what}.`), ({ pending }) => pending],
      [gauge('oldest_seconds', `${what}: the age of the oldest, or 0.`), ({ oldest }) => ageOf(oldest)],
    ];
    // Events have neither attempts nor a time that they wait for.
    if (kind !== 'events') {
      gauges.push(
        [gauge('due', `${what}, whose time has come, and which no worker has taken.`), ({ due }) => due],
        [gauge('failing', `${what}, after at least one failed attempt.`), ({ failing }) => failing],
      );
    }
    return (waiting) => {
      for (const [one, valueOf] of gauges) one.set(valueOf(waiting));
    };
  }
}

function ageOf(time: Date | undefined): number {
  return time ? Math.max(0, Date.now() - time.getTime()) / 1000 : 0;
}
