const BITS = 9;
const STEPS = 1 << BITS;

/**
 * Counts of durations in microseconds, exact to 0.2 %. The counts can be sent to another process and merged there, which is not possible
 * with the histograms of node:perf_hooks.
 */
export class Histogram {
  /** @param {Record<number, number>} counts by bucket */
  constructor(counts = {}) {
    this.counts = counts;
  }

  record(microseconds) {
    const value = Math.max(1, Math.round(microseconds));
    const shift = Math.max(0, 31 - Math.clz32(value) - BITS);
    const bucket = shift * STEPS + (value >>> shift);
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1;
  }

  add(other) {
    for (const [bucket, count] of Object.entries(other.counts))
      this.counts[bucket] = (this.counts[bucket] ?? 0) + count;
  }

  /** The quantile in milliseconds; `share` is between 0 and 1. */
  quantile(share) {
    const entries = Object.entries(this.counts).map(([bucket, count]) => [durationOf(Number(bucket)), count]);
    entries.sort(([a], [b]) => a - b);
    const total = entries.reduce((sum, [, count]) => sum + count, 0);
    let left = total * share;
    for (const [duration, count] of entries) if ((left -= count) <= 0) return duration / 1000;
    return (entries.at(-1)?.[0] ?? NaN) / 1000;
  }
}

function durationOf(bucket) {
  const shift = Math.max(0, Math.floor(bucket / STEPS) - 1);
  return (bucket - shift * STEPS) * 2 ** shift;
}
