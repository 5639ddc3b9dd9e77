import { type RefObject, useEffect, useSyncExternalStore } from 'react';
import type { EditorState } from './model/editor-state';
import { useEditor } from './use-editor';

type Led = NonNullable<EditorState['led']>;

/** What is written in, rather than the buttons around it. */
const INPUT = 'input:not([type="file"], :disabled), textarea, select:not(:disabled), [contenteditable="true"]';
const BUTTON = 'button:not(:disabled), a[href]';
/** Where the focus has been already: a field that is drawn anew later does not take it again. */
const arrived = new WeakSet<Led>();

/** Where the person is led, if that is what `isThere` says of its path. */
export function useLed(isThere: (path: string) => boolean): Led | undefined {
  const editor = useEditor();
  return useSyncExternalStore(editor.subscribe, () => {
    const { led } = editor.getState();
    return led && isThere(led.path) ? led : undefined;
  });
}

/** Focuses the field's control when the person is led to the path. */
export function useLedFocus(path: string, field: RefObject<HTMLElement | null>): void {
  const led = useLed((at) => at === path);
  useEffect(() => {
    if (!led || arrived.has(led)) return;
    arrived.add(led);
    const control =
      field.current?.querySelector<HTMLElement>(INPUT) ?? field.current?.querySelector<HTMLElement>(BUTTON);
    control?.focus({ preventScroll: true });
    (control ?? field.current)?.scrollIntoView({ block: 'center' });
  }, [led, field]);
}
