import type { ReactNode } from 'react';
import { classNames } from './class-names';
import styles from './badge.module.css';

interface BadgeProps {
  /** `danger`: somebody should look at it. The word says why. `quiet`: it is as one expects. */
  look?: 'danger' | 'quiet';
  children: ReactNode;
}

/** A word about a thing, beside its name. */
export function Badge({ look, children }: BadgeProps) {
  return <span className={classNames(styles.badge, look && styles[look])}>{children}</span>;
}
