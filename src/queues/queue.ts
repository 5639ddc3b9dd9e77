import type { Queue as BullQueue } from 'bull';
import type { Job, QueueName } from './job.js';

/** Passes jobs from the code that creates work to a process that does it. */
export interface Queue {
  /** The queue in Redis, for the administration pages. */
  readonly bull?: BullQueue<Job>;
  /** Adds the job unless it already waits. Returns false if the queue is unavailable. */
  add(job: Job): boolean;
  /** Passes every job to `work`. Calls `done` when a job has left the queue. */
  process(work: (job: Job) => Promise<void>, done: (job: Job) => void): void;
  /** Takes no more jobs in this process. `add` still adds jobs for other processes. */
  pause(): void;
  /** Takes no more jobs. Does not wait for the jobs in progress. */
  close(): Promise<void>;
}

/** Injection token of all queues by name: in Redis if it is configured, otherwise in this process. */
export const QUEUES = Symbol('queues');

export type QueueMap = ReadonlyMap<QueueName, Queue>;
