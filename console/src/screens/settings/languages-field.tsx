import type { ComponentProps } from 'react';
import { useLocales } from '../../locales/use-locales';
import { TextField } from '../../parts/fields/text-field';
import { maySome } from '../../session/rights';
import { useTenant } from '../../shell/tenant';

/** Languages that are named as examples. */
const SHOWN = 6;

/** The languages that rights are limited to, as language tags. */
export function LanguagesField(props: Omit<ComponentProps<typeof TextField>, 'label' | 'help'>) {
  const { data } = useLocales(maySome(useTenant(), 'content:read:published'));
  const codes = data?.data.locales.map(({ code }) => code) ?? [];
  const examples = codes.length > 1 ? codes.slice(0, SHOWN).join(', ') : 'de or fr-CA';
  return (
    <TextField
      label="Languages"
      help={`Whose values may be changed: language tags such as ${examples}, separated by commas. Empty: those of all languages.`}
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
