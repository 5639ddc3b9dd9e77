import { Injectable } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { ByteBudget } from '../admission/byte-budget.js';
import { Connections } from '../admission/connections.js';
import { OpenStreams } from '../admission/open-streams.js';
import { heavyWork } from '../admission/heavy-work.js';
import { Database } from '../database/database.js';
import { DatabaseServers } from '../database/servers/database-servers.js';
import { patternRunner } from '../fields/patterns/pattern-runner.js';
import { Metrics } from './metrics.js';

/** Metrics of the work in progress and of the connections that were ended. They are read when `/metrics` is requested. */
@Injectable()
export class AdmissionMetrics {
  constructor(
    { registry }: Metrics,
    connections: Connections,
    bytes: ByteBudget,
    database: Database,
    streams: OpenStreams,
    servers: DatabaseServers,
  ) {
    const registers = [registry];
    const gauge = (name: string, help: string, read: () => number) =>
      new Gauge({
        name: `trivet_${name}`,
        help,
        registers,
        collect() {
          this.set(read());
        },
      });
    gauge('connections', 'Client connections that are open.', () => connections.load.open);
    gauge('requests_unfinished', 'Requests whose response is not complete.', () => connections.load.unfinished);
    gauge('event_streams', 'Streams of events that are open.', () => streams.load.open);
    gauge('bytes_in_flight', 'Bytes of request bodies and responses that are held in memory.', () => bytes.used);
    gauge('database_connections_used', 'Database connections that are in use.', () => database.load.running);
    gauge(
      'database_statements_waiting',
      'Statements that wait for a database connection.',
      () => database.load.waiting,
    );
    gauge(
      'database_sessions_abandoned',
      'Sessions of the database that were given up because a statement was not answered, and that have not ended.',
      () => database.abandoned.size,
    );
    gauge('heavy_work_waiting', 'Tasks on large values that wait for their turn.', () => heavyWork.waiting);
    gauge('pattern_checks_waiting', 'Requests that wait for the pattern worker.', () => patternRunner.waiting);
    new Gauge({
      name: 'trivet_tenants_set_back',
      help: 'Tenants that have a small share of the connections or none, because their statements are not answered.',
      registers,
      aggregator: 'max',
      collect() {
        this.set(database.tenantsSetBack);
      },
    });
    new Gauge({
      name: 'trivet_database_servers_away',
      help: 'Servers of a distributed database that do not answer.',
      registers,
      aggregator: 'max',
      collect() {
        this.set(servers.serversAway);
      },
    });
    new Counter({
      name: 'trivet_database_statements_abandoned_total',
      help: 'Statements that were given up, with their connection, because they were not answered.',
      registers,
      collect() {
        this.reset();
        this.inc(database.abandoned.total);
      },
    });
    new Counter({
      name: 'trivet_event_streams_refused_total',
      help: 'Streams of events that were refused because too many were open.',
      registers,
      collect() {
        this.reset();
        this.inc(streams.load.refused);
      },
    });
    new Counter({
      name: 'trivet_connections_ended_total',
      help: 'Client connections that the service ended: refused or replaced because there were too many, or stalled.',
      labelNames: ['reason'],
      registers,
      collect() {
        this.reset();
        const { refused, replaced, stalled } = connections.load;
        for (const [reason, count] of Object.entries({ refused, replaced, stalled })) this.inc({ reason }, count);
      },
    });
  }
}
