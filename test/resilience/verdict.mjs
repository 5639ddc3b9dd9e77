import { isNoisy } from './noise.mjs';

/** A bound of time alone is broken: the machine may be at fault, and it is worth another try. */
export function isLateOnly({ faults }) {
  return faults.length > 0 && faults.every(({ isLatency }) => isLatency);
}

/** Of a row: skipped, holds, BROKEN, or unsure where only bounds of time are broken while other programs used the machine. */
export function verdictOf(row) {
  if (row.skipped) return 'skipped';
  if (row.faults.length === 0) return 'holds';
  return isLateOnly(row) && isNoisy(row) ? 'unsure' : 'BROKEN';
}
