/** The others do not wait for a task that takes longer: whatever it waits for may concern it alone. */
const HOLD_MS = 3_000;

/** Runs a fixed number of tasks at once, without those that take very long. The others wait in order. */
export class SoftSemaphore {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  async run<Result>(task: () => Promise<Result>): Promise<Result> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    let holds = true;
    const leave = () => {
      if (holds) this.leave();
      holds = false;
    };
    const timer = setTimeout(leave, HOLD_MS);
    try {
      return await task();
    } finally {
      clearTimeout(timer);
      leave();
    }
  }

  private leave(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.free++;
  }
}
