import styles from './loading.module.css';

/** Stands where something is on its way. It shows itself only when that takes long enough to wonder. */
export function Loading({ label = 'Loading …' }: { label?: string }) {
  return <p className={styles.loading}>{label}</p>;
}
