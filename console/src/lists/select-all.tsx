import { usePartChecked } from '../parts/use-part-checked';
import type { Selection } from './selection';
import styles from './data-table.module.css';

interface SelectAllProps<Row extends { id: string }> {
  rows: readonly Row[];
  selection: Selection<Row>;
}

/** Selects the rows that are shown. */
export function SelectAll<Row extends { id: string }>({ rows, selection }: SelectAllProps<Row>) {
  const count = rows.filter(({ id }) => selection.has(id)).length;
  const box = usePartChecked(count > 0 && count < rows.length);
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
