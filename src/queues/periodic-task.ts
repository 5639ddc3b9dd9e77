import { Logger } from '@nestjs/common';

/** Runs a task repeatedly, with a pause between runs. Each pause varies a little, so that processes do not run at the same time. */
export class PeriodicTask {
  private readonly logger = new Logger('PeriodicTask');
  private timer?: NodeJS.Timeout;
  private current: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly pauseMs: number,
    private readonly task: () => Promise<void>,
  ) {}

  start(): void {
    this.schedule();
  }

  /** Returns when the run in progress has ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.current;
  }

  private schedule(): void {
    if (this.stopped) return;
    const run = () => {
      this.current = this.run();
    };
    this.timer = setTimeout(run, this.pauseMs * (0.8 + 0.4 * Math.random())).unref();
  }

  private async run(): Promise<void> {
    try {
      await this.task();
    } catch (error) {
      // Usually the database is unavailable. The next run tries again.
      this.logger.warn({ err: error }, 'A periodic task failed');
    }
    this.schedule();
  }
}
