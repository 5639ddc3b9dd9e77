import { useState } from 'react';
import { Unreadable } from '../model/values';
import { useEditor } from '../use-editor';
import { useFieldValue } from '../use-field';

interface Notation {
  /** The text of a value. */
  write: (value: unknown) => string;
  /** The value of a text; an `Unreadable` if it has none. */
  read: (text: string) => unknown;
}

/** A value that is edited as text. The text stays as it is typed, as long as nothing else changes the value. */
export function useTypedText(path: string, { write, read }: Notation): [string, (text: string) => void] {
  const { form } = useEditor();
  const value = useFieldValue(path);
  const [typed, setTyped] = useState<{ text: string; value: unknown }>({ text: '', value: undefined });
  const text = typed.value === value ? typed.text : value instanceof Unreadable ? value.text : write(value);
  const change = (next: string) => {
    const meant = read(next);
    setTyped({ text: next, value: meant });
    form.set(path, meant);
  };
  return [text, change];
}
