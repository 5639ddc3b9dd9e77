import cluster from 'node:cluster';
import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import { ClusterMetrics } from './cluster-metrics.js';

/** The Prometheus metrics at `/metrics`. */
@Injectable()
export class Metrics {
  readonly registry = new Registry();

  readonly requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last byte of its response.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.registry],
  });

  readonly deliveries = new Counter({
    name: 'webhook_attempts_total',
    help: 'Attempts to deliver an event to a webhook, by outcome: succeeded, retried or failed.',
    labelNames: ['outcome'],
    registers: [this.registry],
  });

  readonly firstAttempts = new Histogram({
    name: 'webhook_first_attempt_delay_seconds',
    help: 'Time from an event to the first attempt to deliver it, or to the first attempt of a requested redelivery.',
    buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600],
    registers: [this.registry],
  });

  readonly mails = new Counter({
    name: 'mails_total',
    help: 'Attempts to send an email, by outcome: sent, retried, failed, canceled or skipped.',
    labelNames: ['outcome'],
    registers: [this.registry],
  });

  private readonly cluster?: ClusterMetrics;
  private readonly shared: (() => Promise<string>)[] = [];

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    if (cluster.isWorker) this.cluster = new ClusterMetrics(this.registry);
  }

  /** Adds metrics that do not belong to a process, such as counts of rows. In a cluster they are read once, and not summed. */
  addShared(read: () => Promise<string>): void {
    this.shared.push(read);
  }

  /** Returns the metrics in Prometheus's text format; in a cluster, those of all processes. */
  async text(): Promise<string> {
    const own = this.cluster ? this.cluster.metrics() : this.registry.metrics();
    const texts = await Promise.all([own, ...this.shared.map((read) => read())]);
    return texts.join('');
  }
}
