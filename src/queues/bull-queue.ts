import { setTimeout as sleep } from 'node:timers/promises';
import type Bull from 'bull';
import { Cluster } from 'ioredis';
import type { RedisClient } from '../redis/connect-redis.js';
import type { RedisOutage } from '../redis/redis-outage.js';
import type { Job } from './job.js';
import type { Queue } from './queue.js';
import type { RedisClients } from './redis-clients.js';

/** Jobs that one process runs at once. */
const CONCURRENCY = 64;
/** A job that takes longer is marked as completed in Redis. Its work continues, and new work gets a new job. */
const JOB_MS = 250;
const CLOSE_TIMEOUT_MS = 3_000;

/** A queue in Redis. While Redis is unavailable, `add` returns false, and nothing waits for it. Redis keeps a job only until it is done. */
export class BullQueue implements Queue {
  private stopping = false;

  constructor(
    readonly bull: Bull.Queue<Job>,
    private readonly clients: RedisClients,
    private readonly outage: RedisOutage,
  ) {
    Object.assign(bull, {
      // Bull would set the name of its connection and not handle a rejection, which would crash the process. `RedisClients` sets it.
      setWorkerName: () => Promise.resolve(),
      getWorkers: () => workersOf(bull),
      // Nest would wait without limit for an unavailable Redis. `Queues` closes its queues itself.
      onApplicationShutdown: () => Promise.resolve(),
    });
    bull.on('error', (error?: Error) => this.markUnavailable(error));
    bull.client.on('ready', () => this.markAvailable());
  }

  add(job: Job): boolean {
    if (this.bull.client.status !== 'ready') return false;
    this.bull.add(job, { jobId: job.tenantId }).then(
      // Not every error breaks the connection, so `ready` may not follow: a flushed Redis reports a missing job.
      () => this.markAvailable(),
      (error?: Error) => this.markUnavailable(error),
    );
    return true;
  }

  process(work: (job: Job) => Promise<void>, done: (job: Job) => void): void {
    const { bull } = this;
    bull.on('completed', ({ data }) => done(data));
    bull
      .process(CONCURRENCY, async ({ data }) => Promise.race([work(data), sleep(JOB_MS)]))
      .catch((error?: Error) => this.markUnavailable(error));
  }

  pause(): void {
    // Bull closes the connection that waits for jobs, which is not a failure.
    this.stopping = true;
    this.bull.pause(true, true).catch(() => undefined);
  }

  async close(): Promise<void> {
    this.stopping = true;
    const closing = this.bull.close(true).catch(() => undefined);
    // Bull waits without limit for an unavailable Redis.
    await Promise.race([closing, sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
    this.clients.close();
  }

  /** If Redis closes the connection while Bull waits, Bull passes no error. */
  private markUnavailable(error: Error | undefined): void {
    if (!this.stopping) this.outage.begin(`queue ${this.bull.name}`, error);
  }

  private markAvailable(): void {
    this.outage.end(`queue ${this.bull.name}`);
  }
}

type Connections = Record<string, string>[];

/** Bull would also return the workers of other databases of this Redis, which belong to other services, and in a cluster ask any node. */
async function workersOf(bull: Bull.Queue<Job>): Promise<Connections> {
  const client = bull.client as RedisClient;
  const nodes = client instanceof Cluster ? client.nodes('master') : [client];
  const parser = bull as unknown as { parseClientList(list: string): Connections };
  const lists = await Promise.all(
    nodes.map(async (node) => parser.parseClientList((await node.client('LIST')) as string)),
  );
  const ofDatabase = lists.map((list) => list.filter(({ db }) => db === String(nodes[0]?.options.db ?? 0)));
  // The workers wait at the node that has the queue. They may be connected to others, too.
  return ofDatabase.reduce((most, list) => (list.length > most.length ? list : most), []);
}
