import type { ReactNode } from 'react';
import styles from './two-columns.module.css';

interface TwoColumnsProps {
  /** What is edited. */
  first: ReactNode;
  /** What becomes of it, beside it where there is space. */
  second: ReactNode;
}

export function TwoColumns({ first, second }: TwoColumnsProps) {
  return (
    <div className={styles.columns}>
      <div className={styles.first}>{first}</div>
      {second}
    </div>
  );
}
