import { useEffect, useId, useState } from 'react';
import styles from './search-box.module.css';

interface SearchBoxProps {
  /** What is searched for. */
  value: string;
  /** Called when the person stops typing. */
  onSearch: (value: string) => void;
}

/** Milliseconds without a keystroke after which the list is asked. */
const PAUSE = 250;
/** The API reads no more. */
const MAX_LENGTH = 512;

export function SearchBox({ value, onSearch }: SearchBoxProps) {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  const id = useId();
  // The browser went back, or a view was opened.
  if (known !== value) {
    setKnown(value);
    setTyped(value);
  }
  useEffect(() => {
    const words = typed.trim();
    if (words === value.trim()) return undefined;
    const timer = setTimeout(() => {
      setKnown(words);
      onSearch(words);
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [typed, value, onSearch]);
  return (
    <div className={styles.search}>
      <label htmlFor={id} className={styles.label}>
        Search
      </label>
      <svg className={styles.icon} viewBox="0 0 16 16" aria-hidden="true">
        <path d="M11 11l3 3M12.5 7.25a5.25 5.25 0 1 1-10.5 0 5.25 5.25 0 0 1 10.5 0Z" />
      </svg>
      <input
        id={id}
        type="search"
        dir="auto"
        placeholder="Search"
        maxLength={MAX_LENGTH}
        className={styles.input}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
    </div>
  );
}
