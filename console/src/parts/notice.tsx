import type { ReactNode } from 'react';
import { Buttons } from './buttons';
import styles from './notice.module.css';

interface NoticeProps {
  /** What it is about, as screen readers say it. */
  label: string;
  actions?: ReactNode;
  children: ReactNode;
}

/** What a person should know about the page now, and what can be done about it. */
export function Notice({ label, actions, children }: NoticeProps) {
  return (
    <section className={styles.notice} aria-label={label}>
      <div className={styles.text}>{children}</div>
      {actions ? <Buttons>{actions}</Buttons> : null}
    </section>
  );
}
