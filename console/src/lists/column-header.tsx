import type { Column } from './column';
import { ColumnResizer } from './column-resizer';
import { classNames } from '../parts/class-names';
import styles from './data-table.module.css';

interface ColumnHeaderProps<Row> {
  column: Pick<Column<Row>, 'name' | 'label' | 'sort' | 'isNumber'>;
  sort: string;
  onSort: (sort: string) => void;
  onResize: (name: string, width: number) => void;
}

/** Sorts upwards, then downwards, then not at all. */
export function ColumnHeader<Row>({ column, sort, onSort, onResize }: ColumnHeaderProps<Row>) {
  const { name, label, isNumber, sort: by } = column;
  const direction =
    by === undefined ? undefined : sort === by ? 'ascending' : sort === `-${by}` ? 'descending' : 'none';
  const next = direction === 'none' ? by : direction === 'ascending' ? `-${by}` : '';
  return (
    <th scope="col" aria-sort={direction} className={classNames(styles.header, isNumber && styles.number)}>
      {by === undefined ? (
        <span className={styles.label} dir="auto" title={label}>
          {label}
        </span>
      ) : (
        <button type="button" className={styles.sort} title={label} onClick={() => onSort(next ?? '')}>
          <span className={styles.label} dir="auto">
            {label}
          </span>
          <svg className={styles.arrow} data-direction={direction} viewBox="0 0 12 12" aria-hidden="true">
            <path d="M6 10V2M2.5 5.5 6 2l3.5 3.5" />
          </svg>
        </button>
      )}
      <ColumnResizer onResize={(to) => onResize(name, to)} />
    </th>
  );
}
