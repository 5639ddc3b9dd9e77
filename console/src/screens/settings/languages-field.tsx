import type { ComponentProps } from 'react';
import { TextField } from '../../parts/text-field';

/** The languages that rights are limited to, as language tags. */
export function LanguagesField(props: Omit<ComponentProps<typeof TextField>, 'label' | 'help'>) {
  return (
    <TextField
      label="Languages"
      help="Whose values may be changed: language tags such as de or fr-CA, separated by commas. Empty: those of all languages."
      autoComplete="off"
      spellCheck={false}
      {...props}
    />
  );
}

/** What somebody writes in the field, as the service takes it: null for all. */
export function localesOf(text: string): string[] | null {
  const locales = text.split(/[\s,;]+/).filter(Boolean);
  return locales.length === 0 ? null : locales;
}
