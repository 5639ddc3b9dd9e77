import type { ReactNode } from 'react';
import styles from './disclosure.module.css';

interface DisclosureProps {
  title: string;
  isOpenAtFirst?: boolean;
  children: ReactNode;
}

/** What most people do not need is there for those who open it. */
export function Disclosure({ title, isOpenAtFirst = false, children }: DisclosureProps) {
  return (
    <details className={styles.disclosure} open={isOpenAtFirst}>
      <summary>{title}</summary>
      <div className={styles.content}>{children}</div>
    </details>
  );
}
