import type { Worker } from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';
import { answerOn, PrimaryLine } from '../primary-line.js';

const SUBJECT = 'metrics';
const PATIENCE_MS = 6_000;

/** In the primary of a cluster: tells the worker the metrics of all. */
export function gatherFor(worker: Worker, registry: { clusterMetrics(): Promise<string> }): void {
  answerOn(worker, SUBJECT, () => registry.clusterMetrics());
}

/** In a worker of a cluster: whichever of them is asked answers for all, or a scrape would see another one each time. */
export class ClusterMetrics {
  private readonly primary = new PrimaryLine<null, string>(SUBJECT, PATIENCE_MS);

  constructor(registry: Registry) {
    // Made for what it listens to: the primary's requests for this process' metrics.
    new AggregatorRegistry();
    AggregatorRegistry.setRegistries(registry);
  }

  metrics(): Promise<string> {
    return this.primary.ask(null);
  }
}
