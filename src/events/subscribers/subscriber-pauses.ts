const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;
/** After each further failure, a batch has at most this share of the events. */
const REDUCTION = 8;

/** How long a subscriber that fails is left alone, by subscriber and tenant. Kept in memory, because losing it costs one more attempt. */
export class SubscriberPauses {
  private readonly failures = new Map<string, { count: number; until: number }>();

  isPaused(key: string): boolean {
    return (this.failures.get(key)?.until ?? 0) > Date.now();
  }

  /** Returns the size of the next batch: `size`, or less after failures, at last a single event. */
  reduced(key: string, size: number): number {
    const count = this.failures.get(key)?.count ?? 0;
    return Math.max(1, Math.floor(size / REDUCTION ** count));
  }

  failed(key: string): void {
    const count = (this.failures.get(key)?.count ?? 0) + 1;
    const pause = Math.min(FIRST_MS * 2 ** (count - 1), LONGEST_MS);
    this.failures.set(key, { count, until: Date.now() + pause });
  }

  succeeded(key: string): void {
    this.failures.delete(key);
  }
}
