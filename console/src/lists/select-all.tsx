import { useEffect, useRef } from 'react';
import type { Selection } from './selection';
import styles from './data-table.module.css';

interface SelectAllProps<Row extends { id: string }> {
  rows: readonly Row[];
  selection: Selection<Row>;
}

/** Selects the rows that are shown. */
export function SelectAll<Row extends { id: string }>({ rows, selection }: SelectAllProps<Row>) {
  const box = useRef<HTMLInputElement>(null);
  const count = rows.filter(({ id }) => selection.has(id)).length;
  const isPart = count > 0 && count < rows.length;
  useEffect(() => {
    if (box.current) box.current.indeterminate = isPart;
  }, [isPart]);
  return (
    <label className={styles.box}>
      <input
        ref={box}
        type="checkbox"
        aria-label="Select all"
        checked={rows.length > 0 && count === rows.length}
        disabled={rows.length === 0}
        onChange={({ target }) => (target.checked ? selection.add(rows) : selection.clear())}
      />
    </label>
  );
}
