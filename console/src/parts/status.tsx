import { useEffect, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { Button } from './button';
import styles from './status.module.css';

/** Milliseconds for which a message is shown. */
const SHOWN = 8_000;

let message: { readonly text: string } | undefined;
const listeners = new Set<() => void>();

function change(next: typeof message): void {
  message = next;
  for (const listener of listeners) listener();
}

/** Says what was done, to eyes and to screen readers. */
export function say(text: string): void {
  change({ text });
}

/** The one place where the page says what was done. */
export function Status() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => message,
  );
  useEffect(() => {
    if (!shown) return undefined;
    const timer = setTimeout(() => message === shown && change(undefined), SHOWN);
    return () => clearTimeout(timer);
  }, [shown]);
  // Above what dialogs lay over the page.
  return createPortal(
    <div className={styles.place}>
      <div role="status" aria-live="polite">
        {shown && <p className={styles.message}>{shown.text}</p>}
      </div>
      {shown && (
        <Button look="quiet" className={styles.close} onClick={() => change(undefined)}>
          Dismiss
        </Button>
      )}
    </div>,
    document.body,
  );
}
