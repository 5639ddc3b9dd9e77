import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { DatabaseServers } from '../database/servers/database-servers.js';
import { Metrics } from '../observability/metrics.js';

/** Says whether the sweeps look for the work of all tenants. */
@Injectable()
export class QueueMetrics {
  constructor({ registry }: Metrics, servers: DatabaseServers) {
    new Gauge({
      name: 'trivet_tenants_skipped',
      help: 'Tenants whose work is not looked for, because one of several database servers is away. Every worker reports them.',
      registers: [registry],
      aggregator: 'max',
      collect() {
        this.set(servers.tenantsAway.size);
      },
    });
  }
}
