/** Milliseconds without a change after which it is saved. */
const PAUSE = 2_000;
/** Milliseconds until the second try, which double until the last value. */
const RETRY = { first: 2_000, last: 60_000 };

/** When to save: after a pause in typing, and again after a failure that may pass. */
export class Autosave {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private failures = 0;

  constructor(private readonly save: () => void) {}

  changed(): void {
    this.wait(PAUSE);
  }

  failed(): void {
    this.wait(Math.min(RETRY.first * 2 ** this.failures, RETRY.last));
    this.failures++;
  }

  succeeded(): void {
    this.failures = 0;
  }

  /** Whether a save is due at some time. */
  get isWaiting(): boolean {
    return this.timer !== undefined;
  }

  now(): void {
    this.stop();
    this.save();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private wait(milliseconds: number): void {
    this.stop();
    this.timer = setTimeout(() => this.now(), milliseconds);
  }
}
