import { SoftSemaphore } from './soft-semaphore.js';

/** Runs one task of each key at a time. Calls during a run cause one further run. At most `concurrency` tasks run at once. */
export class CoalescingRunner {
  private readonly runs = new Map<string, { again: boolean; done: Promise<void> }>();
  private readonly semaphore: SoftSemaphore;

  constructor(concurrency: number) {
    this.semaphore = new SoftSemaphore(concurrency);
  }

  /** Resolves when a run that began after this call has ended. Rejects if a run fails. */
  async run(key: string, task: () => Promise<void>): Promise<void> {
    const current = this.runs.get(key);
    if (current) {
      current.again = true;
      return current.done;
    }
    const run = { again: true, done: Promise.resolve() };
    this.runs.set(key, run);
    run.done = this.loop(run, task).finally(() => this.runs.delete(key));
    return run.done;
  }

  private async loop(run: { again: boolean }, task: () => Promise<void>): Promise<void> {
    while (run.again) {
      await this.semaphore.run(() => {
        run.again = false;
        return task();
      });
    }
  }
}
