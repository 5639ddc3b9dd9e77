import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type Bull from 'bull';
import type { Job } from './job.js';
import type { Queue } from './queue.js';
import type { RedisClients } from './redis-clients.js';

/** Jobs that one process works on at once. */
const CONCURRENCY = 64;
/** A job that takes longer is done as far as Redis is concerned: the work goes on, and new work gets a new job. */
const JOB_MS = 250;
const CLOSE_TIMEOUT_MS = 3_000;

/** Jobs shared through Redis. While it is away `add` says no, and nothing waits for it. A job is kept in Redis only until it is done. */
export class BullQueue implements Queue {
  private readonly logger = new Logger('Queue');
  private away = false;
  private stopping = false;

  constructor(
    readonly bull: Bull.Queue<Job>,
    private readonly clients: RedisClients,
  ) {
    Object.assign(bull, {
      // Bull names its connection for Redis' list of clients and looks after no failure of that: it would end the process.
      setWorkerName: () => Promise.resolve(),
      // Nest would wait without limit for a Redis that is away. `Queues` closes its queues by itself.
      onApplicationShutdown: () => Promise.resolve(),
    });
    bull.on('error', (error?: Error) => this.noteAway(error));
    bull.client.on('ready', () => this.noteBack());
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

  pause(): void {
    // Bull breaks the connection that waits for jobs, which is no failure.
    this.stopping = true;
    this.bull.pause(true, true).catch(() => undefined);
  }

  async close(): Promise<void> {
    this.stopping = true;
    const closing = this.bull.close(true).catch(() => undefined);
    // Bull waits for a Redis that is away for as long as it is.
    await Promise.race([closing, sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
    this.clients.close();
  }

  /** Said once, not at every try to connect. When Redis closes while Bull waits for it, Bull gives no reason. */
  private noteAway(error: Error | undefined): void {
    if (this.away || this.stopping) return;
    this.away = true;
    const reason = error?.message ?? 'the connection was closed';
    this.logger.warn(
      `The queue "${this.bull.name}" cannot use Redis (${reason}); its jobs continue from the database tables`,
    );
  }

  private noteBack(): void {
    if (this.away) this.logger.log(`The queue "${this.bull.name}" uses Redis again`);
    this.away = false;
  }
}
