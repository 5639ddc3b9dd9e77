import { useSyncExternalStore } from 'react';

/** Where the form and a site fit beside each other, as `preview.module.css` says too. */
const SPACE = window.matchMedia('(width >= 75rem)');

export function useHasSpace(): boolean {
  return useSyncExternalStore(
    (listener) => {
      SPACE.addEventListener('change', listener);
      return () => SPACE.removeEventListener('change', listener);
    },
    () => SPACE.matches,
  );
}
