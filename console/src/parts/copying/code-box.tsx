import styles from './code-box.module.css';

/** Text for a program. A long one scrolls in its box, with the keyboard too. */
export function CodeBox({ label, text }: { label: string; text: string }) {
  return (
    <pre className={styles.code} tabIndex={0} dir="ltr" role="region" aria-label={label}>
      {text}
    </pre>
  );
}
