/** Which operations were reached, with what came of it. */
import { printTable, short } from '../../bench/table.mjs';

export class Coverage {
  rows = new Map();
  latencies = [];
  slowest = [];
  requests = 0;
  /** Answers that came too late, but not when their requests were sent again. */
  slowOnce = 0;
  /** Ids of the answers that were 503, which the log may name. */
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
      console.log(`${this.slowOnce} answers were too slow once, and quick when their requests were sent again.`);
  }

  /** The operations of the document among `ids` that were never reached, or never with a success. */
  gaps(ids) {
    return ids.flatMap((id) => {
      const { statuses } = this.rows.get(id);
      if (statuses.size === 0) return [`${id} was never reached`];
      return [...statuses.keys()].some(isSuccess) ? [] : [`${id} was never reached with success`];
    });
  }
}

/** What this share of the numbers is below. */
export function quantile(numbers, share) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

function isSuccess(status) {
  return status >= 200 && status < 300;
}
