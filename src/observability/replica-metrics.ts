import { Injectable } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import type { Replica } from '../database/servers/replica.js';
import { Replicas } from '../database/servers/replicas.js';
import { Metrics } from './metrics.js';

/** Metrics of the replicas. There are none without `DATABASE_REPLICA_URL`. */
@Injectable()
export class ReplicaMetrics {
  constructor({ registry }: Metrics, replicas: Replicas) {
    if (replicas.all.length === 0) return;
    const registers = [registry];
    // The processes of a cluster use the same replicas.
    const gauge = (name: string, help: string, aggregator: 'min' | 'max', read: (replica: Replica) => number) =>
      new Gauge({
        name: `trivet_replica_${name}`,
        help,
        labelNames: ['replica'],
        aggregator,
        registers,
        collect() {
          for (const replica of replicas.all) this.set({ replica: replica.name }, read(replica));
        },
      });
    gauge('used', '1 if the replica answers reads, 0 if it is left aside.', 'min', ({ reason }) => (reason ? 0 : 1));
    gauge('lag_seconds', 'How long ago the primary was where the replica is.', 'max', ({ lag }) => lag.ms / 1_000);
    gauge('lag_bytes', 'WAL that the replica has not replayed.', 'max', ({ lag }) => lag.bytes);
    new Counter({
      name: 'trivet_reads_total',
      help: 'Statements that a replica may answer, by the server that answered: the host and port of a replica, or primary.',
      labelNames: ['server'],
      registers,
      collect() {
        this.reset();
        this.inc({ server: 'primary' }, replicas.passedOn);
        for (const { name, answered } of replicas.all) this.inc({ server: name }, answered);
      },
    });
  }
}
