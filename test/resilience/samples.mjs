/** What is made of the victim's samples: `{at, ms, kind, outcome}`, `at` in milliseconds of the system's clock when it was sent. */

/** The value that a share (0 to 1) of all did not exceed; NaN without values. */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted.length === 0 ? NaN : sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
}

export function median(values) {
  return quantile(values, 0.5);
}

/**
 * Adds the requests that a closed loop would have sent while it waited for a slow answer: without them a pause of ten seconds would
 * count as one slow request. Each request stands for one in `intervalMs` (as HdrHistogram's `expectedInterval` does).
 */
export function withOmitted(samples) {
  return samples.flatMap((sample) => {
    const all = [sample];
    const { at, ms, intervalMs } = sample;
    for (let left = ms - intervalMs; left >= intervalMs; left -= intervalMs) {
      all.push({ ...sample, at: at + ms - left, ms: left, isOmitted: true });
    }
    return all;
  });
}

/** The samples of a span of time, cut into `count` windows of equal length. */
export function windowsOf(samples, { from, to, count }) {
  const length = (to - from) / count;
  const windows = Array.from({ length: count }, () => []);
  for (const sample of samples) {
    const index = Math.floor((sample.at - from) / length);
    if (index >= 0 && index < count) windows[index].push(sample);
  }
  return windows;
}

export function latencies(samples) {
  return samples.map(({ ms }) => ms);
}

/** An answer of the service that is its failure, or none at all. */
export function isFailure({ outcome }) {
  return typeof outcome !== 'number' || outcome >= 500;
}
