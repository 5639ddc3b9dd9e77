import styles from './icons.module.css';

const PATHS = {
  up: 'M8 12.5v-9M4 7.5l4-4 4 4',
  down: 'M8 3.5v9M4 8.5l4 4 4-4',
  copy: 'M5.5 5.5h7v7h-7zM3.5 10.5v-7h7',
  remove: 'M3.5 4.5h9M6.5 4.5v-1h3v1M5 4.5l.5 8h5l.5-8',
  handle: 'M6 4h.01M10 4h.01M6 8h.01M10 8h.01M6 12h.01M10 12h.01',
  open: 'M6 4l4 4-4 4',
} as const;

export type IconName = keyof typeof PATHS;

/** A picture beside or instead of words that are read aloud. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg viewBox="0 0 16 16" className={name === 'handle' ? styles.dots : styles.icon} aria-hidden>
      <path d={PATHS[name]} />
    </svg>
  );
}
