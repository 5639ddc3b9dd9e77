/** Runs at most a fixed number of tasks at once. The others wait in order. */
export class Gate {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  async through<Result>(task: () => Promise<Result>): Promise<Result> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.free++;
    }
  }
}
