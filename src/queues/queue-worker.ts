import type { Job, QueueName } from './job.js';

/**
 * Does the work of one queue. The work is stored in the worker's own tables. A job only says where to look, so a lost or repeated job
 * changes nothing.
 */
export interface QueueWorker {
  readonly queue: QueueName;

  /** Names what `due` looks for, if it depends on what the process has. */
  readonly finds?: readonly string[];

  /** Does the work that is due for the job, until no work is due. A call for the same job in the meantime means that there is new work. */
  work(job: Job): Promise<void>;

  /** Stops claiming work because the process is about to end. The worker finishes claimed work. */
  stopClaiming(): void;

  /** Returns the jobs that have work due now, with a plain read over all tenants that locks nothing. */
  due(): Promise<Job[]>;

  /** Whether work is due for this job. */
  isDue(job: Job): Promise<boolean>;
}
