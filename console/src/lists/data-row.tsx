import { memo } from 'react';
import { classNames } from '../parts/class-names';
import type { Column } from './column';
import styles from './data-table.module.css';

interface DataRowProps<Row extends { id: string }> {
  row: Row;
  title: string;
  columns: readonly Column<Row>[];
  isSelected?: boolean;
  /** `isRange`: also the rows from the one before. */
  onSelect?: (row: Row, isSelected: boolean, isRange: boolean) => void;
}

/** Long lists stay quick: a row is drawn again only if something of it has changed. */
export const DataRow = memo(DataRowOf) as typeof DataRowOf;

function DataRowOf<Row extends { id: string }>({ row, title, columns, isSelected, onSelect }: DataRowProps<Row>) {
  return (
    <tr className={classNames(isSelected && styles.selected)}>
      {onSelect && (
        <td className={styles.check}>
          <label className={styles.box}>
            <input
              type="checkbox"
              aria-label={`Select ${title}`}
              checked={isSelected}
              onChange={({ target, nativeEvent }) =>
                onSelect(row, target.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
              }
            />
          </label>
        </td>
      )}
      {columns.map((column, index) =>
        index === 0 ? (
          <th key={column.name} scope="row" className={styles.cell}>
            {column.show(row)}
          </th>
        ) : (
          <td key={column.name} className={classNames(styles.cell, column.isNumber && styles.number)}>
            {column.show(row)}
          </td>
        ),
      )}
    </tr>
  );
}
