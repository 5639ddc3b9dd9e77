import type { Job } from './job.js';
import type { Queue } from './queue.js';

/** A queue within this process, which starts jobs at once. */
export class LocalQueue implements Queue {
  private work?: (job: Job) => Promise<void>;

  add(job: Job): boolean {
    void this.work?.(job);
    return true;
  }

  process(work: (job: Job) => Promise<void>): void {
    this.work = work;
  }

  pause(): void {
    this.work = undefined;
  }

  close(): Promise<void> {
    this.pause();
    return Promise.resolve();
  }
}
