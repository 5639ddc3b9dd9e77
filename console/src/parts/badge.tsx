import type { ReactNode } from 'react';
import styles from './badge.module.css';

/** A word about a thing, beside its name. */
export function Badge({ children }: { children: ReactNode }) {
  return <span className={styles.badge}>{children}</span>;
}
