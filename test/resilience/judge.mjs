/** Compares the victim during an attack with the victim alone. */
import { isFailure, latencies, median, quantile, windowsOf, withOmitted } from './samples.mjs';

/** The limit from the issue: at most four times the value alone, plus 40 ms. */
const FACTOR = 4;
const MARGIN_MS = 40;
/** The short form runs on machines that also do other work. It detects what stops the service, not what slows it down. */
const SHORT_FORM = 2;
/** No request of the victim may take longer, however fast the others are. */
const SLOWEST_MS = 5_000;
const DELIVERY_P95_MS = 3_000;
const PROBE_SLOWEST_MS = 3_000;
const WINDOWS = 5;
/** Recovered means at most twice the value alone, plus 10 ms … */
const RECOVERED_FACTOR = 2;
const RECOVERED_MARGIN_MS = 10;
/** … and at least this share of the request rate. */
const LEAST_RATE = 0.3;
const STILL_WAITING_MS = 2_000;

/** The victim's figures between two times, in milliseconds. */
export function figuresOf(victim, { from, to, windows = WINDOWS }) {
  const requests = victim.requests(from, to);
  const samples = withOmitted(requests).filter(({ at }) => at < to);
  const p95s = windowsOf(samples, { from, to, count: windows })
    .filter((window) => window.length > 0)
    .map((window) => quantile(latencies(window), 0.95));
  const all = latencies(samples);
  return {
    requests: requests.length,
    rate: requests.length / ((to - from) / 1000),
    p50: quantile(all, 0.5),
    p95: median(p95s),
    p99: quantile(all, 0.99),
    slowest: greatest(all),
    status5xx: requests.filter(({ outcome }) => outcome >= 500).length,
    broken: requests.filter(({ outcome }) => typeof outcome !== 'number').length,
    outcomes: tally(requests),
    byKind: byKind(samples),
    probes: probesOf(victim.probes(from, to)),
    deliveries: deliveriesOf(victim.deliveries(from, to)),
  };
}

function byKind(samples) {
  const kinds = [...new Set(samples.map(({ kind }) => kind))];
  return Object.fromEntries(
    kinds.map((kind) => {
      const values = latencies(samples.filter((sample) => sample.kind === kind));
      return [kind, { p50: quantile(values, 0.5), p95: quantile(values, 0.95), p99: quantile(values, 0.99) }];
    }),
  );
}

function probesOf(probes) {
  const failed = probes.filter(({ outcome }) => outcome !== 200);
  return { sent: probes.length, failed: failed.length, outcomes: tally(probes), slowest: greatest(latencies(probes)) };
}

function deliveriesOf(delays) {
  return {
    expected: delays.length,
    missing: delays.filter((delay) => delay === Infinity).length,
    p95: quantile(delays, 0.95),
  };
}

function tally(samples) {
  const counts = {};
  for (const { kind, outcome } of samples) {
    const name = `${kind} ${outcome}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** The limit for the victim's p95 during an attack, in milliseconds. */
export function boundOf(alone, isShort) {
  return (FACTOR * alone.p95 + MARGIN_MS) * (isShort ? SHORT_FORM : 1);
}

/** Returns a list of faults `{text, isLatency}`. Latency may be the machine's fault, so a scenario with only such faults is retried. */
export function faultsOf({ alone, beside, bound, recoveredMs, isWell, recoverWithinMs, peakMib, maxMib }) {
  const faults = [];
  const hard = (text) => faults.push({ text, isLatency: false });
  const late = (text) => faults.push({ text, isLatency: true });
  if (!(beside.p95 <= bound)) late(`p95 is ${ms(beside.p95)}; the limit is ${ms(bound)} (alone: ${ms(alone.p95)})`);
  if (beside.slowest > SLOWEST_MS) late(`a request took ${ms(beside.slowest)}`);
  if (beside.status5xx > 0) hard(`${beside.status5xx} of ${beside.requests} requests got a 5xx response`);
  if (beside.broken > 0)
    hard(`${beside.broken} of ${beside.requests} requests got no response (${wrongOf(beside.outcomes)})`);
  if (beside.probes.failed > 0) hard(`health checks failed (${wrongOf(beside.probes.outcomes)})`);
  else if (beside.probes.slowest > PROBE_SLOWEST_MS) late(`a health check took ${ms(beside.probes.slowest)}`);
  const { missing, expected, p95 } = beside.deliveries;
  if (missing > 0) hard(`${missing} of ${expected} deliveries did not arrive`);
  else if (p95 > DELIVERY_P95_MS) late(`p95 of deliveries is ${ms(p95)}; the limit is ${ms(DELIVERY_P95_MS)}`);
  if (!isWell) hard('the victim did not get correct responses again');
  else if (recoveredMs === undefined) late('the victim did not become as fast as before');
  else if (recoveredMs > recoverWithinMs) late(`recovery took ${ms(recoveredMs)}; the limit is ${ms(recoverWithinMs)}`);
  if (peakMib > maxMib) hard(`memory reached ${Math.round(peakMib)} MiB; the limit is ${maxMib} MiB`);
  return faults;
}

/** Whether every response in a window was correct (`isWell`), and whether they were also as fast as alone (`isFast`). */
export function stateOf(victim, alone, from, to) {
  // Includes requests that were sent long before and still wait.
  const isStuck = victim.between(0, to).some(({ outcome, ms }) => outcome === 'WAITING' && ms > STILL_WAITING_MS);
  const requests = victim.requests(from, to);
  const answered = requests.filter(({ outcome }) => outcome !== 'WAITING');
  const probes = victim.probes(from, to).filter(({ outcome }) => outcome !== 'WAITING');
  const areEnough = answered.length >= Math.max(2, LEAST_RATE * alone.rate * ((to - from) / 1000));
  const areRight = !answered.some(isFailure) && probes.every(({ outcome }) => outcome === 200);
  const isWell = !isStuck && answered.length > 0 && areRight;
  const bound = RECOVERED_FACTOR * alone.p95 + RECOVERED_MARGIN_MS;
  return { isWell, isFast: isWell && areEnough && quantile(latencies(requests), 0.95) <= bound };
}

function greatest(values) {
  return values.reduce((most, value) => Math.max(most, value), 0);
}

function wrongOf(outcomes) {
  return Object.entries(outcomes)
    .filter(([name]) => !/ [234]\d\d$/.test(name))
    .map(([name, count]) => `${name}: ${count}`)
    .join(', ');
}

function ms(value) {
  return value >= 1_000 ? `${(value / 1_000).toFixed(1)} s` : `${value.toFixed(value < 10 ? 1 : 0)} ms`;
}
