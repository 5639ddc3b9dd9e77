import type { ReactNode } from 'react';
import styles from './buttons.module.css';

/** Buttons beside each other, in as many lines as they need. */
export function Buttons({ children }: { children: ReactNode }) {
  return <div className={styles.buttons}>{children}</div>;
}
