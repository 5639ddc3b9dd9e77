import { type ReactNode } from 'react';
import { useTitle } from './page';
import styles from './card-page.module.css';

/** A page outside of the console proper: one card in the middle, with one thing to do. */
export function CardPage({ title, children }: { title: string; children: ReactNode }) {
  useTitle(title);
  return (
    <main className={styles.page}>
      <p className={styles.brand}>
        <Mark />
        Trivet
      </p>
      <div className={styles.card}>
        <h1 className={styles.title}>{title}</h1>
        {children}
      </div>
    </main>
  );
}

/** The three legs of a trivet. */
export function Mark() {
  return (
    <svg className={styles.mark} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" className={styles.ground} />
      <path d="M7 11.5h18M11 11.5 8.5 24M16 11.5V24M21 11.5 23.5 24" className={styles.legs} />
    </svg>
  );
}
