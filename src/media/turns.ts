/** Lets so many tasks run at once, and so many more wait for so long; who finds no place, or waits in vain, is turned away. */
export class Turns {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly limits: { atOnce: number; waiting: number; patience: number; turnAway: () => Error }) {}

  async take<Result>(task: () => Promise<Result>): Promise<Result> {
    if (this.running < this.limits.atOnce) this.running++;
    else await this.wait();
    try {
      return await task();
    } finally {
      // The turn goes on to the next, or comes back.
      const next = this.waiting.shift();
      if (next) next();
      else this.running--;
    }
  }

  private wait(): Promise<void> {
    const { waiting, patience, turnAway } = this.limits;
    return new Promise((resolve, reject) => {
      if (this.waiting.length >= waiting) return reject(turnAway());
      const start = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(start), 1);
        reject(turnAway());
      }, patience);
      this.waiting.push(start);
    });
  }
}
