import { type RefObject, useEffect, useRef } from 'react';

/** Returns the ref of a checkbox for several things, of which only some are checked. Browsers have no attribute for it. */
export function usePartChecked(isPart: boolean): RefObject<HTMLInputElement | null> {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = isPart;
  }, [isPart]);
  return box;
}
