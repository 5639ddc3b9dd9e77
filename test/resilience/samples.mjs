/** Evaluates the victim's samples: `{at, ms, kind, outcome}`, where `at` is the send time in milliseconds since 1970. */

/** The quantile of the values; `share` is between 0 and 1. NaN without values. */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted.length === 0 ? NaN : sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
}

export function median(values) {
  return quantile(values, 0.5);
}

/**
 * Adds the requests that a closed loop would have sent while it waited for a slow response. Without them, a pause of ten seconds would
 * count as one slow request. Each request represents one in `intervalMs` (like HdrHistogram's `expectedInterval`).
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

/** Splits the samples between two times into `count` windows of equal length. */
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

/** Whether the response is a server error, or missing. */
export function isFailure({ outcome }) {
  return typeof outcome !== 'number' || outcome >= 500;
}
