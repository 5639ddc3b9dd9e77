import type { ReactNode } from 'react';
import styles from './table.module.css';

interface TableProps {
  name: string;
  columns: readonly string[];
  children: ReactNode;
}

/** Rows of equal things. On a narrow screen, a row is a card: every cell names its column itself where that helps. */
export function Table({ name, columns, children }: TableProps) {
  return (
    <div className={styles.frame}>
      <table className={styles.table} aria-label={name}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
