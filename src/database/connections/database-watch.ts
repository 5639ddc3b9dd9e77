import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import pg from 'pg';
import { CITUS_OPTIONS, SESSION_OPTIONS } from '../data-source.js';
import type { DatabaseProbe } from './database-probe.js';
import type { DatabaseServers } from '../servers/database-servers.js';
import { preparedQuery } from '../statements/prepared-query.js';
import type { ServiceStatement } from '../statements/statement.js';

const CONNECT_MS = 3_000;
/** A look that takes longer counts as a lost connection. */
const QUERY_MS = 5_000;
/** The pause before the next attempt to connect. */
const RECONNECT_MS = 250;
/** The pause between two looks while notifications arrive. A connection that was cut off is noticed by a look. */
const HEARING_MS = 4_000;
/** How long after connecting the watch finds out whether notifications arrive. A pooler may have given the session to another client by then. */
const TEST_AFTER_MS = 1_000;
/** The payload of a notification that only tests whether it arrives begins with this. */
const TEST = 'test ';
/** The least time between two looks, so that many requests that ask for one cause only a few. */
const LEAST_PAUSE_MS = 50;

/** Reads on the connection of the watch. */
export interface WatchReader {
  read<Parameters, Row>(statement: ServiceStatement<Parameters, Row>, parameters: NoInfer<Parameters>): Promise<Row[]>;
  /** Undefined if all of several database servers answer. Otherwise, the tenants of each of those that do. */
  present(): readonly (readonly string[])[] | undefined;
}

interface Watched {
  /** The name of a channel (`NOTIFY`), after whose notifications the watch looks at once. */
  channel: string;
  /** The watch also looks this often, because a pooler may lose notifications. While notifications are known to arrive, it looks less often. */
  everyMs: number;
  /** Brings what the process knows up to date. `startedAt` is of `performance.now()`. If it throws, the connection is replaced. */
  look: (reader: WatchReader, startedAt: number) => Promise<void>;
}

interface Waiting {
  resolve: () => void;
  reject: (error: unknown) => void;
}

/**
 * Watches rows of the database on a connection of its own, which is free however busy the others are. It looks after connecting, after each
 * notification on the channel, and at intervals. Only one look runs at a time.
 */
export class DatabaseWatch {
  private readonly logger = new Logger(DatabaseWatch.name);
  private client?: pg.Client;
  private timer?: NodeJS.Timeout;
  private running?: Promise<void>;
  private lastStart = -Infinity;
  private waiting: Waiting[] = [];
  private isAway = false;
  /** The payload of the notification that tests this connection. */
  private test = '';
  private isStopped = false;
  /** Whether notifications arrive on the connection. */
  private hears = false;

  constructor(
    private readonly url: string,
    private readonly probe: DatabaseProbe,
    private readonly servers: DatabaseServers,
    private readonly watched: Watched,
  ) {}

  /** Resolves after the first look. */
  start(): Promise<void> {
    const first = this.refresh();
    this.schedule(0);
    return first;
  }

  /** Resolves after a look that starts from now on. Rejects if the database cannot be reached. Calls at the same time share a look. */
  refresh(): Promise<void> {
    if (this.isAway || this.isStopped) return Promise.reject(new Error('The database cannot be reached.'));
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      if (!this.running) this.schedule(Math.max(0, this.lastStart + LEAST_PAUSE_MS - performance.now()));
    });
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.running;
    this.drop();
    for (const { reject } of this.waiting.splice(0)) reject(new Error('The process stops.'));
  }

  private schedule(ms: number): void {
    clearTimeout(this.timer);
    if (this.isStopped) return;
    this.timer = setTimeout(() => void (this.running = this.run()), ms).unref();
  }

  private async run(): Promise<void> {
    const waiting = this.waiting.splice(0);
    this.lastStart = performance.now();
    try {
      const client = this.client ?? (await this.connect());
      if (!this.client) this.testLater(client);
      this.client = client;
      const startedAt = performance.now();
      await this.watched.look(this.readerOf(client), startedAt);
      if (this.isAway) this.logger.log(`The connection that watches ${this.watched.channel} is back`);
      this.isAway = false;
      for (const { resolve } of waiting) resolve();
    } catch (error) {
      this.fail(error, [...waiting, ...this.waiting.splice(0)]);
      // One of several servers may be why. The next look leaves it out.
      await this.servers.check();
    }
    this.running = undefined;
    const usual = this.hears ? HEARING_MS : this.watched.everyMs;
    const pause = this.waiting.length > 0 ? LEAST_PAUSE_MS : usual;
    this.schedule(this.isAway ? RECONNECT_MS : pause);
  }

  private fail(error: unknown, waiting: readonly Waiting[]): void {
    this.drop();
    if (!this.isAway && !this.isStopped) {
      this.logger.warn({ err: error }, `The connection that watches ${this.watched.channel} was lost`);
    }
    this.isAway = true;
    for (const { reject } of waiting) reject(error);
  }

  private async connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.url,
      application_name: `trivet watch ${this.watched.channel}`,
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: QUERY_MS,
      // Its few statements need no plan of their own, so the options of Citus do for every database.
      options: `${SESSION_OPTIONS} ${CITUS_OPTIONS} -c statement_timeout=${QUERY_MS}`,
      keepAlive: true,
    });
    client.on('error', () => this.lost(client));
    client.on('end', () => this.lost(client));
    client.on('notification', ({ payload = '' }) => this.notified(client, payload));
    await client.connect();
    try {
      // A pooler may refuse it. The interval is short enough without it.
      await client.query(`LISTEN ${this.watched.channel}`).catch((error: unknown) => {
        if ((error as { code?: string }).code === undefined) throw error;
        this.logger.warn({ err: error }, `LISTEN ${this.watched.channel} was refused; the table is read at intervals`);
      });
      return client;
    } catch (error) {
      void client.end().catch(() => undefined);
      throw error;
    }
  }

  private lost(client: pg.Client): void {
    if (client !== this.client) return;
    this.client = undefined;
    this.hears = false;
    if (!this.running) this.schedule(0);
  }

  /** A notification during a look may be about a row that the look has not seen. */
  private notified(client: pg.Client, payload: string): void {
    if (!payload.startsWith(TEST)) void this.refresh().catch(() => undefined);
    else if (client === this.client && payload === this.test) this.hears = true;
  }

  /** Sends a notification to the connection from another one. */
  private testLater(client: pg.Client): void {
    this.test = TEST + randomUUID();
    const values = [this.watched.channel, this.test];
    const send = () => {
      if (client !== this.client) return;
      this.probe.run((other) => other.query('SELECT pg_notify($1, $2)', values)).catch(() => undefined);
    };
    setTimeout(send, TEST_AFTER_MS).unref();
  }

  private drop(): void {
    const { client } = this;
    this.client = undefined;
    this.hears = false;
    void client?.end().catch(() => undefined);
  }

  private readerOf(client: pg.Client): WatchReader {
    return {
      read: async <Parameters, Row>(statement: ServiceStatement<Parameters, Row>, parameters: Parameters) => {
        const { rows } = await client.query(preparedQuery(statement, statement.bind(parameters)));
        return rows as Row[];
      },
      present: () => this.servers.present,
    };
  }
}
