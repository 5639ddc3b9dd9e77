/** Counts the responses of each operation. */
import { printTable, short } from '../../bench/table.mjs';
import { WITHOUT_SUCCESS } from './people.mjs';

export class Coverage {
  rows = new Map();
  latencies = [];
  slowest = [];
  requests = 0;
  /** Responses that were too slow, but not when their requests were repeated. */
  slowOnce = 0;
  /** The request IDs of the 503 responses, for which the log may contain errors. */
  unavailable = new Set();

  constructor(operations) {
    for (const { id } of operations) this.rows.set(id, { valid: 0, statuses: new Map() });
  }

  count(id, { flavour, method, path }, { status, ms, headers }) {
    this.requests++;
    const row = this.rows.get(id) ?? { valid: 0, statuses: new Map() };
    this.rows.set(id, row);
    row.statuses.set(status, (row.statuses.get(status) ?? 0) + 1);
    if (flavour === 'valid' && isSuccess(status)) row.valid++;
    if (status === 503) this.unavailable.add(headers?.get('x-request-id')?.[0]);
    if (ms === undefined) return;
    this.latencies.push(ms);
    const what = `${id}: ${flavour}, ${method} ${path.slice(0, 80)}, ${status}`;
    this.slowest.push({ ms, what });
    if (this.slowest.length > 50) this.trimSlowest();
  }

  trimSlowest() {
    this.slowest = this.slowest.sort((a, b) => b.ms - a.ms).slice(0, 5);
  }

  print() {
    const rows = [...this.rows].map(([id, { statuses }]) => {
      const all = [...statuses].sort(([a], [b]) => String(a).localeCompare(String(b)));
      const sum = all.reduce((total, [, count]) => total + count, 0);
      const good = all.filter(([status]) => isSuccess(status)).reduce((total, [, count]) => total + count, 0);
      return [id, sum, good, all.map(([status, count]) => `${status}: ${count}`).join(', ')];
    });
    printTable(['operation', 'requests', 'successes', 'statuses'], rows);
    this.trimSlowest();
    const lines = this.slowest.map(({ ms, what }) => `  ${short(ms)} ms: ${what}`);
    console.log(`\nSlowest:\n${lines.join('\n')}`);
    if (this.slowOnce > 0)
      console.log(`${this.slowOnce} responses were too slow once, but not when their requests were repeated.`);
  }

  /** The operations among `ids` that received no request, or no successful response although they can have one. */
  gaps(ids) {
    return ids.flatMap((id) => {
      const { statuses } = this.rows.get(id);
      if (statuses.size === 0) return [`${id} received no request`];
      return WITHOUT_SUCCESS.includes(id) || [...statuses.keys()].some(isSuccess)
        ? []
        : [`${id} had no successful response`];
    });
  }
}

/** The quantile of the numbers; `share` is between 0 and 1. */
export function quantile(numbers, share) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

/** Signing in with a provider leads on with a 303. */
export function isSuccess(status) {
  return (status >= 200 && status < 300) || status === 303;
}
