import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import Bull from 'bull';
import { Redis, type RedisOptions } from 'ioredis';
import type { Job, QueueName } from './job.js';
import type { Queue } from './queue.js';

/** Jobs that one process works on at once. */
const CONCURRENCY = 64;
/** A job that takes longer is done as far as Redis is concerned: the work goes on, and new work gets a new job. */
const JOB_MS = 250;
/** How long a job of a process that died stays locked. */
const LOCK_MS = 10_000;
const CLOSE_PATIENCE_MS = 3_000;

/**
 * Jobs shared through Redis. It may be away at the start or go at any time: then `add` says no, and nothing waits for it. A job is
 * kept in Redis only until it is done.
 */
export class BullQueue implements Queue {
  readonly bull: Bull.Queue<Job>;
  private readonly logger = new Logger('Queue');
  private readonly clients: Redis[] = [];
  private away = false;
  private closed = false;

  constructor(
    private readonly name: QueueName,
    redisUrl: string,
  ) {
    this.bull = new Bull<Job>(name, {
      prefix: 'trivet',
      createClient: (type) => this.connect(redisUrl, type === 'client' ? {} : { maxRetriesPerRequest: null }),
      settings: { lockDuration: LOCK_MS, stalledInterval: LOCK_MS, retryProcessDelay: 500 },
      defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
    });
    // Bull names its connection for Redis' list of clients and looks after no failure of that: it would end the process.
    Object.assign(this.bull, { setWorkerName: () => Promise.resolve() });
    this.bull.on('error', (error?: Error) => this.noteAway(error));
  }

  add(job: Job): boolean {
    if (this.bull.client.status !== 'ready') return false;
    this.bull.add(job, { jobId: job.tenantId }).then(
      // An error need not have been the connection's: a Redis that was flushed says that a job is missing.
      () => this.noteBack(),
      (error?: Error) => this.noteAway(error),
    );
    return true;
  }

  process(work: (job: Job) => Promise<void>, done: (job: Job) => void): void {
    const { bull } = this;
    bull.on('completed', ({ data }) => done(data));
    bull
      .process(CONCURRENCY, async ({ data }) => Promise.race([work(data), sleep(JOB_MS)]))
      .catch((error?: Error) => this.noteAway(error));
  }

  async close(): Promise<void> {
    this.closed = true;
    const closing = this.bull.close(true).catch(() => undefined);
    // Bull waits for a Redis that is away for as long as it is.
    await Promise.race([closing, sleep(CLOSE_PATIENCE_MS, undefined, { ref: false })]);
    for (const client of this.clients) client.disconnect();
  }

  private connect(redisUrl: string, options: RedisOptions): Redis {
    const client = new Redis(redisUrl, {
      enableReadyCheck: false,
      retryStrategy: (times) => Math.min(times * 100, 2_000),
      ...options,
    });
    client.on('ready', () => this.noteBack());
    this.clients.push(client);
    // Bull connects as it needs to, maybe only when this is over.
    if (this.closed) client.disconnect();
    return client;
  }

  /** Said once, not at every try to connect. When Redis closes while Bull waits for it, Bull gives no reason. */
  private noteAway(error: Error | undefined): void {
    if (this.away || this.closed) return;
    this.away = true;
    const reason = error?.message ?? 'the connection was closed';
    this.logger.warn(`The queue "${this.name}" can't use Redis (${reason}); its work goes on from the tables`);
  }

  private noteBack(): void {
    if (this.away) this.logger.log(`The queue "${this.name}" uses Redis again`);
    this.away = false;
  }
}
