import type { Job, QueueName } from './job.js';

/**
 * Does the work of one queue. What is to be done stands in the worker's own tables; a job only says where to look, so one that is lost
 * or comes twice changes nothing.
 */
export interface QueueWorker {
  readonly queue: QueueName;

  /** Does what is due for the job until nothing is. May be called again for the same job meanwhile: then there is something new. */
  work(job: Job): Promise<void>;

  /** The process is about to end: claims nothing more, and finishes what it has. */
  stopClaiming(): void;

  /** The jobs that have something due now: a plain read over all tenants that locks nothing. */
  due(): Promise<Job[]>;

  /** Whether something is due for this one job. */
  isDue(job: Job): Promise<boolean>;
}
