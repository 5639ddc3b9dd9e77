import styles from './progress.module.css';

/** How far something is: from 0 to 1, or undefined while nobody can tell. `label` says what is going on. */
export function Progress({ label, value }: { label: string; value: number | undefined }) {
  return <progress className={styles.progress} aria-label={label} value={value} max={1} />;
}
