import { Children, type ReactNode } from 'react';
import styles from './rows.module.css';

interface RowsProps {
  /** What stands there when there is nothing. */
  empty?: string;
  children: ReactNode;
}

/** A short list, each with what can be done with it. */
export function Rows({ empty, children }: RowsProps) {
  if (Children.count(children) === 0) return empty === undefined ? null : <p className={styles.empty}>{empty}</p>;
  return <ul className={styles.rows}>{children}</ul>;
}

interface RowProps {
  title: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

export function Row({ title, actions, children }: RowProps) {
  return (
    <li className={styles.row}>
      <div className={styles.text}>
        <strong dir="auto">{title}</strong>
        <div className={styles.about}>{children}</div>
      </div>
      {actions ? <div className={styles.actions}>{actions}</div> : null}
    </li>
  );
}
