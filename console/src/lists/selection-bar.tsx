import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from '../parts/button';
import styles from './selection-bar.module.css';

interface SelectionBarProps {
  count: number;
  onClear: () => void;
  /** What can be done with the selection. */
  children: ReactNode;
}

/** Stays in sight at the end of the window while rows are selected, and moves nothing. Messages stand above it (`styles/base.css`). */
export function SelectionBar({ count, onClear, children }: SelectionBarProps) {
  const isEmpty = count === 0;
  const wasThere = useRef(false);
  useEffect(() => {
    // The bar has gone with the button that was pressed: the keyboard goes on at the beginning of the page.
    if (isEmpty && wasThere.current && document.activeElement === document.body)
      document.getElementById('main')?.focus();
    wasThere.current = !isEmpty;
  }, [isEmpty]);
  return (
    <div className={styles.place} aria-live="polite">
      {!isEmpty && (
        <div data-selection-bar className={styles.bar} role="group" aria-label="Selection">
          <span className={styles.count}>{count.toLocaleString()} selected</span>
          {children}
          <Button look="quiet" onClick={onClear}>
            Clear
          </Button>
        </div>
      )}
    </div>
  );
}
