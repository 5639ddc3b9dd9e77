import { isNoisy } from './noise.mjs';

/** Only time limits were exceeded. The machine may be at fault, so a retry is worthwhile. */
export function isLateOnly({ faults }) {
  return faults.length > 0 && faults.every(({ isLatency }) => isLatency);
}

/** The verdict of a row: skipped, holds, BROKEN, or unsure if only time limits were exceeded while other programs used the machine. */
export function verdictOf(row) {
  if (row.skipped) return 'skipped';
  if (row.faults.length === 0) return 'holds';
  return isLateOnly(row) && isNoisy(row) ? 'unsure' : 'BROKEN';
}
