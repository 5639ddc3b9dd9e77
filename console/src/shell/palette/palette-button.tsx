import { lazy, Suspense, useEffect, useState } from 'react';
import styles from './palette-button.module.css';
import { useNoteRecent } from './recent-places';

const loadPalette = () => import('./palette');
const Palette = lazy(loadPalette);

const isMac = /^(Mac|iP)/.test(navigator.platform);

/** Opens the palette, as Ctrl K or ⌘ K does anywhere. */
export function PaletteButton() {
  const [isOpen, setOpen] = useState(false);
  useNoteRecent();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== 'k')
        return;
      // The browser would go to its own search.
      event.preventDefault();
      // What is open must be answered first.
      if (!document.querySelector('[role=dialog], [role=alertdialog]')) setOpen(true);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <>
      <button
        type="button"
        className={styles.button}
        aria-label="Go to"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpen(true)}
        onPointerEnter={() => void loadPalette().catch(() => undefined)}
      >
        <svg className={styles.icon} viewBox="0 0 16 16" aria-hidden="true">
          <circle cx="7" cy="7" r="4.25" />
          <path d="m10.25 10.25 3.25 3.25" />
        </svg>
        <span className={styles.words}>Go to</span>
        <kbd className={styles.keys} data-keys={isMac ? '⌘ K' : 'Ctrl K'} />
      </button>
      {isOpen && (
        <Suspense>
          <Palette onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
