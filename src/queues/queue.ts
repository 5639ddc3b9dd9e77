import type { Config } from '../config/config.js';
import { BullQueue } from './bull-queue.js';
import type { Job, QueueName } from './job.js';
import { LocalQueue } from './local-queue.js';

/** Carries jobs from whoever knows of work to a process that does it. */
export interface Queue {
  /** Adds the job unless it waits already; false when the queue can't take it now. */
  add(job: Job): boolean;
  /** Hands every job to `work`; when a job is gone from the queue, `done` is told. */
  process(work: (job: Job) => Promise<void>, done: (job: Job) => void): void;
  /** Takes no more jobs; those under way end by themselves. */
  close(): Promise<void>;
}

/** Every queue is built here: on Redis where there is one, in the process otherwise. */
export function buildQueue(name: QueueName, { redisUrl }: Config): Queue {
  return redisUrl ? new BullQueue(name, redisUrl) : new LocalQueue();
}
