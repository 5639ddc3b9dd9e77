import { useCallback } from 'react';
import { useSearchParams } from 'wouter';

const OPEN = 'open';

/** Whether a dialog of the page is open, and what opens and closes it. The address says so (`?open=new`), and so a link can open it. */
export function useOpen(name: string): [boolean, (isOpen: boolean) => void] {
  const [query, setQuery] = useSearchParams();
  const change = useCallback(
    (isOpen: boolean) =>
      setQuery(
        (before) => {
          const after = new URLSearchParams(before);
          if (isOpen) after.set(OPEN, name);
          else after.delete(OPEN);
          return after;
        },
        { replace: true },
      ),
    [name, setQuery],
  );
  return [query.get(OPEN) === name, change];
}
