import { useCallback, useState, useSyncExternalStore } from 'react';
import type { FormStore } from '../model/form-store';
import { randomKey } from '../model/random-key';
import { useEditor } from '../use-editor';

/** A list of the form, whose items can be moved about. */
export interface ListModel {
  /** One for each item, which it keeps where it goes. */
  readonly keys: readonly string[];
  readonly add: (item: unknown) => void;
  readonly remove: (index: number) => void;
  readonly duplicate: (index: number) => void;
  readonly move: (from: number, to: number) => void;
}

/** The list at the path. Only a change of its length or order draws the component again: each item watches its own value. */
export function useList(path: string): ListModel {
  const { form } = useEditor();
  const subscribe = useCallback((listener: () => void) => form.subscribe(path, listener), [form, path]);
  const length = useSyncExternalStore(subscribe, () => itemsAt(form, path).length);
  const [keys, setKeys] = useState<readonly string[]>([]);
  const current = keys.length === length ? keys : Array.from({ length }, (_, index) => keys[index] ?? randomKey());
  if (current !== keys) setKeys(current);
  const change = (edit: <T>(list: readonly T[], copy: (item: T) => T, fresh: T) => readonly T[], item?: unknown) => {
    setKeys(edit(current, randomKey, randomKey()));
    const items = edit(itemsAt(form, path), (each) => each, item);
    form.set(path, items.length > 0 ? items : undefined);
  };
  return {
    keys: current,
    add: (item) => change((list, _, fresh) => [...list, fresh], item),
    remove: (index) => change((list) => list.filter((_, each) => each !== index)),
    duplicate: (index) =>
      change((list, copy) => list.flatMap((item, each) => (each === index ? [item, copy(item)] : [item]))),
    move: (from, to) => change((list) => moved(list, from, to)),
  };
}

export function itemsAt(form: FormStore, path: string): readonly unknown[] {
  const value = form.at(path);
  return Array.isArray(value) ? (value as unknown[]) : [];
}

function moved<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const rest = list.filter((_, index) => index !== from);
  return [...rest.slice(0, to), ...list.slice(from, from + 1), ...rest.slice(to)];
}
