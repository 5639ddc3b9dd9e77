import type { Queue as BullQueue } from 'bull';
import type { Job, QueueName } from './job.js';

/** Carries jobs from whoever knows of work to a process that does it. */
export interface Queue {
  /** Where jobs are in Redis, for the administration pages. */
  readonly bull?: BullQueue<Job>;
  /** Adds the job unless it waits already; false when the queue can't take it now. */
  add(job: Job): boolean;
  /** Hands every job to `work`; when a job is gone from the queue, `done` is told. */
  process(work: (job: Job) => Promise<void>, done: (job: Job) => void): void;
  /** Takes no more jobs here, and still adds them for other processes. */
  pause(): void;
  /** Takes no more jobs; those under way end by themselves. */
  close(): Promise<void>;
}

/** Token of all queues by their name: on Redis where there is one, in the process otherwise. */
export const QUEUES = Symbol('queues');

export type QueueMap = ReadonlyMap<QueueName, Queue>;
