import { createContext, useContext } from 'react';
import { useEditor } from './use-editor';

/** Whether the fields inside may not be changed, although others may. */
export const ReadOnlyContext = createContext(false);

export function useReadOnly(): boolean {
  const { isReadOnly } = useEditor();
  return useContext(ReadOnlyContext) || isReadOnly;
}
