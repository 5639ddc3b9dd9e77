import { useEffect } from 'react';
import type { EntryEditor } from './model/entry-editor';

/** `Ctrl S`, or `⌘ S`, does what `Save` does. */
export function useSaveKey(editor: EntryEditor): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      // The browser would save the page as a file.
      event.preventDefault();
      if (!editor.isReadOnly) void editor.store();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [editor]);
}
