import { useEffect } from 'react';
import type { Submission } from '../../../api/submissions';

/** Where keys mean what they type. */
const TYPING = 'input, textarea, select, [contenteditable], [role=dialog], [role=menu]';

/** `j` opens the next submission, and `k` the one before. */
export function useInboxKeys(
  shown: readonly Submission[],
  openId: string | undefined,
  onOpen: (id: string) => void,
): void {
  useEffect(() => {
    const onKey = ({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
      if ((key !== 'j' && key !== 'k') || ctrlKey || metaKey || altKey) return;
      if (target instanceof Element && target.closest(TYPING)) return;
      const next = neighbourOf(shown, openId, key === 'j' ? 1 : -1);
      if (next) onOpen(next.id);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [shown, openId, onOpen]);
}

/** The submission after the open one, or before it. The first one, if none is open. */
export function neighbourOf(
  shown: readonly Submission[],
  openId: string | undefined,
  step: 1 | -1,
): Submission | undefined {
  const at = shown.findIndex(({ id }) => id === openId);
  return at < 0 ? shown[0] : shown[at + step];
}
