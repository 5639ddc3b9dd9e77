import styles from '../fields/icons.module.css';

const PATHS = {
  reload: 'M13 8a5 5 0 1 1-1.5-3.6M13 2.5v2.5h-2.5',
  open: 'M9.5 2.5h4v4M13.5 2.5L7.5 8.5M6.5 3.5h-3v9h9v-3',
  close: 'M4 4l8 8M12 4l-8 8',
} as const;

/** A picture in place of words that are read aloud. */
export function PreviewIcon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg viewBox="0 0 16 16" className={styles.icon} aria-hidden>
      <path d={PATHS[name]} />
    </svg>
  );
}
