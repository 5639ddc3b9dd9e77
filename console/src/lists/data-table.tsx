import { type ReactNode, useMemo } from 'react';
import { useRangeSelection } from './range-selection';
import { classNames } from '../parts/class-names';
import type { Column } from './column';
import { ColumnHeader } from './column-header';
import { DataRow } from './data-row';
import type { Selection } from './selection';
import { SelectAll } from './select-all';
import styles from './data-table.module.css';

interface DataTableProps<Row extends { id: string }> {
  name: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** What a row is called aloud. */
  titleOf: (row: Row) => string;
  widths: Readonly<Record<string, number>>;
  onResize: (name: string, width: number) => void;
  /** What the list is sorted by: `title`, or `-title` for the opposite direction. */
  sort: string;
  onSort: (sort: string) => void;
  /** Without it, rows cannot be selected. */
  selection?: Selection<Row>;
  /** The rows are those of before. */
  isStale?: boolean;
  /** What follows the rows. */
  children?: ReactNode;
}

/** Rows of equal things, of which there may be many. The first column names the row, and all of them keep their width whatever they hold. */
export function DataTable<Row extends { id: string }>(props: DataTableProps<Row>) {
  const { name, columns, rows, titleOf, widths, selection, isStale, children } = props;
  const select = useRangeSelection(rows, selection);
  const widthOf = (column: Column<Row>) => widths[column.name] ?? column.width;
  const total = columns.reduce((sum, column) => sum + widthOf(column), 0);
  const shown = useMemo(() => rows.map((row) => ({ row, title: titleOf(row) })), [rows, titleOf]);
  return (
    <div className={classNames(styles.frame, isStale && styles.stale)}>
      <table className={styles.table} aria-label={name} aria-busy={isStale} style={{ minWidth: `${total + 3}rem` }}>
        <colgroup>
          {selection && <col className={styles.narrow} />}
          {columns.map((column, index) => {
            // The first column takes what the others leave, until somebody gives it a width.
            const isFree = index === 0 && widths[column.name] === undefined;
            return <col key={column.name} style={isFree ? undefined : { width: `${widthOf(column)}rem` }} />;
          })}
        </colgroup>
        <thead>
          <tr>
            {selection && (
              <th scope="col" className={styles.check} aria-label="Selection">
                <SelectAll rows={rows} selection={selection} />
              </th>
            )}
            {columns.map((column) => (
              <ColumnHeader
                key={column.name}
                column={column}
                sort={props.sort}
                onSort={props.onSort}
                onResize={props.onResize}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map(({ row, title }) => (
            <DataRow
              key={row.id}
              row={row}
              title={title}
              columns={columns}
              isSelected={selection?.has(row.id)}
              onSelect={selection && select}
            />
          ))}
        </tbody>
      </table>
      {children}
    </div>
  );
}
