import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Metrics } from '../observability/metrics.js';
import { Queues } from './queues.js';

/** Says whether the sweeps find the work of all tenants. */
@Injectable()
export class QueueMetrics {
  constructor({ registry }: Metrics, queues: Queues) {
    new Gauge({
      name: 'trivet_tenants_skipped',
      help: 'Tenants whose work is not looked for, because one of several database servers is away. Every worker reports them.',
      registers: [registry],
      collect() {
        this.set(queues.skipped.size);
      },
    });
  }
}
