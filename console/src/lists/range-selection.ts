import { useCallback, useEffect, useRef } from 'react';
import type { Selection } from './selection';

/** Returns what selects a row, or with Shift the rows from the one that was selected before. It stays the same function. */
export function useRangeSelection<Row extends { id: string }>(
  rows: readonly Row[],
  selection: Selection<Row> | undefined,
): (row: Row, isSelected: boolean, isRange: boolean) => void {
  const known = useRef({ rows, selection });
  const last = useRef<string>(undefined);
  useEffect(() => {
    known.current = { rows, selection };
  }, [rows, selection]);
  return useCallback((row, isSelected, isRange) => {
    const { rows: all, selection: chosen } = known.current;
    const [from, to] = [all.findIndex(({ id }) => id === last.current), all.indexOf(row)];
    last.current = row.id;
    if (!isRange || !isSelected || from < 0) chosen?.toggle(row, isSelected);
    else chosen?.add(all.slice(Math.min(from, to), Math.max(from, to) + 1));
  }, []);
}
