import { BeforeApplicationShutdown, Inject, Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { Config } from '../config/config.js';
import { isPartAway } from '../errors/database-problem.js';
import { afterCommit } from '../database/unit-of-work.js';
import { type Job, QUEUE_NAMES, type QueueName } from './job.js';
import { PeriodicTask } from './periodic-task.js';
import { type Queue, type QueueMap, QUEUES } from './queue.js';
import type { QueueWorker } from './queue-worker.js';
import { SharedSweeps } from './shared-sweeps.js';

/** Wakes within this time are merged. Events are relayed in batches, and each batch costs about the same, however small. */
const GATHER_MS: Record<QueueName, number> = { events: 40, webhooks: 5, mail: 40, subscribers: 40 };
/** How often the tables are searched for work without a job. */
const SWEEP_MS = 1_000;
/** The pause between two sweeps that ask for each tenant alone. There may be many, and requests need the database too. */
const ALONE_PAUSE_MS = 5_000;

/**
 * Wakes workers in this process or, through Redis, in another. A job does no more than that: about every second the sweeper searches the
 * tables for work, so that it finds the work of a lost job.
 */
@Injectable()
export class Queues implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Queues');
  private readonly workers = new Map<QueueName, QueueWorker>();
  private readonly waking = new Map<string, NodeJS.Timeout>();
  private readonly running = new Map<string, Set<Promise<void>>>();
  private readonly sweeper = new PeriodicTask(SWEEP_MS, () => this.sweep());
  /** When each worker's tenants may be asked for alone again, of `performance.now()`. */
  private readonly notBefore = new WeakMap<object, number>();
  private stopping = false;
  private closed = false;

  constructor(
    private readonly config: Config,
    @Inject(QUEUES) private readonly queues: QueueMap,
    private readonly sweeps: SharedSweeps,
  ) {}

  /** Must be called while modules are initialized. */
  register(worker: QueueWorker): void {
    if (this.workers.has(worker.queue)) throw new Error(`The queue "${worker.queue}" has two workers.`);
    this.workers.set(worker.queue, worker);
  }

  /**
   * Announces that there is work, when it is committed. It costs almost nothing. If it is lost, the work starts about a second later.
   */
  wake(name: QueueName, job: Job): void {
    void afterCommit(() => this.announce(name, job));
  }

  private announce(name: QueueName, job: Job): void {
    const key = keyOf(name, job);
    if (this.waking.has(key) || this.closed) return;
    const send = () => {
      this.waking.delete(key);
      this.send(name, job);
    };
    this.waking.set(key, setTimeout(send, GATHER_MS[name]));
  }

  onApplicationBootstrap(): void {
    const missing = QUEUE_NAMES.filter((name) => !this.workers.has(name));
    if (missing.length > 0) throw new Error(`These queues have no worker: ${missing.join(', ')}.`);
    if (!this.worksHere) return;
    for (const [name, queue] of this.queues) {
      queue.process(
        (job) => this.run(name, job),
        (job) => this.recheck(name, job),
      );
    }
    this.sweeps.start(
      [...this.workers].flatMap(([name, { finds = [] }]) => [name, ...finds]),
      SWEEP_MS,
    );
    this.sweeper.start();
  }

  /** From now on, no worker of this process claims work. Other processes are still woken. */
  stopClaiming(): void {
    if (this.stopping) return;
    this.stopping = true;
    for (const worker of this.workers.values()) worker.stopClaiming();
    if (this.worksHere) for (const queue of this.queues.values()) queue.pause();
  }

  /** Waits for the work in progress, then closes the queues. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopClaiming();
    this.closed = true;
    for (const timer of this.waking.values()) clearTimeout(timer);
    await this.sweeper.stop();
    await this.sweeps.stop();
    await Promise.all([...this.running.values()].flatMap((runs) => [...runs]));
    await Promise.all([...this.queues.values()].map((queue) => queue.close()));
  }

  /**
   * Returns the jobs that have work due. If one of several database servers is away, asks for each tenant alone, and leaves out those on that
   * server.
   */
  async dueOf(worker: Pick<QueueWorker, 'due' | 'isDue'>): Promise<Job[]> {
    try {
      return await worker.due();
    } catch (error) {
      if (!isPartAway(error)) throw error;
    }
    if (performance.now() < (this.notBefore.get(worker) ?? 0)) return [];
    const jobs: Job[] = [];
    for (const { id: tenantId } of this.config.tenants) {
      if (this.stopping) break;
      try {
        if (await worker.isDue({ tenantId })) jobs.push({ tenantId });
      } catch (error) {
        if (!isPartAway(error))
          this.logger.warn({ err: error, tenant_id: tenantId }, 'A tenant could not be searched for work');
      }
    }
    this.notBefore.set(worker, performance.now() + ALONE_PAUSE_MS);
    return jobs;
  }

  /** The queues themselves, for the administration pages. */
  all(): Queue[] {
    return [...this.queues.values()];
  }

  private get worksHere(): boolean {
    return this.config.role !== 'api';
  }

  private send(name: QueueName, job: Job): void {
    // The queue would merge it with the job in progress here, which may have searched its tables already.
    const isRunning = !this.stopping && this.running.has(keyOf(name, job));
    if (isRunning) void this.run(name, job);
    else if (!this.queues.get(name)?.add(job) && this.worksHere) void this.run(name, job);
  }

  /** Never rejects: failed work is still due, so the sweeper finds it again. */
  private async run(name: QueueName, job: Job): Promise<void> {
    const worker = this.workers.get(name);
    if (!worker || this.stopping) return;
    const work = worker.work(job).catch((error: unknown) => {
      this.logger.error({ err: error, queue: name, tenant_id: job.tenantId }, 'A job failed; it will be retried');
    });
    const key = keyOf(name, job);
    const runs = this.running.get(key) ?? new Set();
    this.running.set(key, runs.add(work));
    await work;
    runs.delete(work);
    if (runs.size === 0) this.running.delete(key);
  }

  /** A wake during a job was merged with that job, which may have missed its work. So this checks for work once more. */
  private recheck(name: QueueName, job: Job): void {
    if (this.stopping) return;
    this.workers
      .get(name)
      ?.isDue(job)
      .then((due) => {
        if (due) this.wake(name, job);
      })
      .catch(() => undefined);
  }

  private async sweep(): Promise<void> {
    if (this.sweeps.isElsewhere) return;
    this.sweeps.begin();
    let found = 0;
    const failures: unknown[] = [];
    for (const [name, worker] of this.workers) {
      if (this.stopping) return;
      const jobs = await this.dueOf(worker).catch((error: unknown) => {
        failures.push(error);
        return [];
      });
      found += jobs.length;
      for (const job of jobs) void this.run(name, job);
    }
    // What failed here may work in another process.
    if (found + failures.length > 0) this.sweeps.found();
    // The log needs only one, because the cause is usually the same.
    if (failures.length > 0) throw failures[0];
  }
}

function keyOf(name: QueueName, { tenantId }: Job): string {
  return `${name}/${tenantId}`;
}
