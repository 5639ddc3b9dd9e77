/** Runs requests in parallel, or one alone: a slow request is repeated while no other is in progress. */
export class Lane {
  running = 0;
  waiting = [];
  isHeld = false;

  /** Runs `work` in parallel with others. */
  async shared(work) {
    while (this.isHeld) await new Promise((resolve) => this.waiting.push(resolve));
    this.running++;
    try {
      return await work();
    } finally {
      this.running--;
      this.wake();
    }
  }

  /** Runs `work` while nothing else runs. */
  async alone(work) {
    while (this.isHeld) await new Promise((resolve) => this.waiting.push(resolve));
    this.isHeld = true;
    while (this.running > 0) await new Promise((resolve) => this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      this.isHeld = false;
      this.wake();
    }
  }

  wake() {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}
