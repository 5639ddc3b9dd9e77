import { type RefObject, useEffect, useRef } from 'react';

/** Returns the ref of a row of links that scrolls sideways on small screens: the one of the page that is shown stays in sight. */
export function useShowCurrent<E extends HTMLElement>(location: string): RefObject<E | null> {
  const row = useRef<E>(null);
  useEffect(() => {
    const current = row.current?.querySelector('[aria-current]')?.getBoundingClientRect();
    if (!row.current || !current) return;
    const frame = row.current.getBoundingClientRect();
    const hidden = Math.min(0, current.left - frame.left) + Math.max(0, current.right - frame.right);
    row.current.scrollBy({ left: hidden });
  }, [location]);
  return row;
}
