import type { Worker } from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';
import { answerRequests, PrimaryClient } from '../processes/cluster-messages.js';

const SUBJECT = 'metrics';
const TIMEOUT_MS = 6_000;

/** In the primary of a cluster: sends the metrics of all workers to the worker that asks. */
export function gatherFor(worker: Worker, registry: { clusterMetrics(): Promise<string> }): void {
  answerRequests(worker, SUBJECT, () => registry.clusterMetrics());
}

/** In a worker of a cluster: returns the metrics of all workers. Otherwise each scrape would return those of a different worker. */
export class ClusterMetrics {
  private readonly primary = new PrimaryClient<null, string>(SUBJECT, TIMEOUT_MS);

  constructor(registry: Registry) {
    // Its constructor starts to listen for the primary's requests for the metrics of this process.
    new AggregatorRegistry();
    AggregatorRegistry.setRegistries(registry);
  }

  metrics(): Promise<string> {
    return this.primary.request(null);
  }
}
