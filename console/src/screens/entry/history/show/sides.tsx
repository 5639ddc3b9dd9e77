import type { ReactNode } from 'react';
import styles from './changes.module.css';

interface SidesProps {
  before: ReactNode;
  after: ReactNode;
}

/** What was, beside what is. */
export function Sides({ before, after }: SidesProps) {
  return (
    <div className={styles.sides}>
      {[before, after].map((side, index) => (
        <div key={index} className={styles.cell}>
          {side || <span className={styles.nothing}>Nothing</span>}
        </div>
      ))}
    </div>
  );
}
