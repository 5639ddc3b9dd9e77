import { useSyncExternalStore } from 'react';
import { usePreview } from '../../preview/use-preview';

/** Where two columns of text fit beside the navigation. */
const WIDE = window.matchMedia('(width >= 64rem)');

/** Whether there is space to show things side by side: the window is wide, and no site is beside them. */
export function useIsWide(): boolean {
  const { isOpen } = usePreview();
  const isWide = useSyncExternalStore(
    (listener) => {
      WIDE.addEventListener('change', listener);
      return () => WIDE.removeEventListener('change', listener);
    },
    () => WIDE.matches,
  );
  return isWide && !isOpen;
}
