import { Logger } from '@nestjs/common';

/** Runs a task again and again with a pause between the runs, each a little different so that processes don't keep step. */
export class Periodically {
  private readonly logger = new Logger('Periodically');
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

  /** Returns when a run that is under way has ended. */
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
      // Mostly a database that is away; the next run finds it back.
      this.logger.warn({ err: error }, 'A periodic task failed');
    }
    this.schedule();
  }
}
