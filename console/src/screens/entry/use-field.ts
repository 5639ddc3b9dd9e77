import { useCallback, useSyncExternalStore } from 'react';
import type { FieldDefinition } from '../../api/content-types';
import type { Fault } from './model/form-store';
import { nameIn } from './model/paths';
import { useEditor } from './use-editor';

/** The value at a path of the form. Only a change of this value draws the component again. */
export function useFieldValue(path: string): unknown {
  const { form } = useEditor();
  const subscribe = useCallback((listener: () => void) => form.subscribe(path, listener), [form, path]);
  return useSyncExternalStore(subscribe, () => form.at(path));
}

export function useFault(path: string): Fault | undefined {
  const { form } = useEditor();
  const subscribe = useCallback((listener: () => void) => form.subscribe(path, listener), [form, path]);
  return useSyncExternalStore(subscribe, () => form.faultAt(path));
}

/** How many values of these fields are known to be wrong. */
export function useFaultCount(fields: readonly FieldDefinition[]): number {
  const { form } = useEditor();
  const subscribe = useCallback(
    (listener: () => void) => {
      const ends = fields.map(({ name }) => form.subscribe(name, listener));
      return () => ends.forEach((end) => end());
    },
    [form, fields],
  );
  const count = () => {
    const names = new Set(fields.map(({ name }) => name));
    return form.allFaults.filter(({ path }) => names.has(nameIn(path))).length;
  };
  return useSyncExternalStore(subscribe, count);
}
