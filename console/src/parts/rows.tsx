import { Children, type ReactNode } from 'react';
import { Buttons } from './buttons';
import styles from './rows.module.css';

interface RowsProps {
  /** What is listed, where no title says so. */
  label?: string;
  /** What stands there when there is nothing. */
  empty?: string;
  children: ReactNode;
}

/** A short list, each with what can be done with it. */
export function Rows({ label, empty, children }: RowsProps) {
  if (Children.count(children) === 0) return empty === undefined ? null : <p className={styles.empty}>{empty}</p>;
  return (
    <ul className={styles.rows} aria-label={label}>
      {children}
    </ul>
  );
}

interface RowProps {
  title: ReactNode;
  actions?: ReactNode;
  /** What is inside of it, in all of its width. */
  below?: ReactNode;
  children: ReactNode;
}

export function Row({ title, actions, below, children }: RowProps) {
  return (
    <li className={styles.row}>
      <div className={styles.line}>
        <div className={styles.text}>
          <strong dir="auto">{title}</strong>
          <div className={styles.about}>{children}</div>
        </div>
        {actions ? <Buttons>{actions}</Buttons> : null}
      </div>
      {below}
    </li>
  );
}
