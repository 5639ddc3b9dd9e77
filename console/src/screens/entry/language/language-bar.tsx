import { useId } from 'react';
import { useSearchParams } from 'wouter';
import type { ContentType } from '../../../api/content-types';
import type { Entry } from '../../../api/entries';
import type { EntryLocale } from '../../../api/locales';
import { classNames } from '../../../parts/class-names';
import field from '../../../parts/fields/field.module.css';
import { countedAs } from '../../../parts/numbers';
import { useTenant } from '../../../shell/tenant';
import { labelsOf } from '../history/labels-of';
import { useEditor, useEditorState } from '../use-editor';
import { type EntryLanguage, useEntryLanguage } from './entry-language';
import styles from './language.module.css';

interface LanguageBarProps {
  type: ContentType;
  entry: Entry | undefined;
}

/** Which language is shown, and what is missing in each. */
export function LanguageBar({ type, entry }: LanguageBarProps) {
  const id = useId();
  const tenant = useTenant();
  const editor = useEditor();
  const { saving } = useEditorState(editor);
  const [, setQuery] = useSearchParams();
  const language = useEntryLanguage();
  if (!language) return null;
  const { code: shown, locales } = language;
  const choose = async (code: string) => {
    // A new entry is made before another of its languages is written.
    if (!entry && saving.is !== 'untouched' && !(await editor.save())) return;
    // Those who may not change the default language name it, so that they are not led back to their own.
    const isNamed = code !== locales.default || tenant.locales !== undefined;
    setQuery(isNamed ? { locale: code } : {});
  };
  return (
    <div className={styles.bar}>
      <label className={field.label} htmlFor={id}>
        Language
      </label>
      <select
        id={id}
        className={classNames(field.control, styles.choice)}
        value={shown}
        onChange={({ target }) => void choose(target.value)}
      >
        {locales.locales.map(({ code, name }) => (
          <option key={code} value={code}>
            {[name, wordsFor(language, code)].filter(Boolean).join(' · ')}
          </option>
        ))}
      </select>
      <p className={styles.about} dir="auto">
        {aboutOf(type, entry, language)}
      </p>
    </div>
  );
}

/** What there is in a language, in a few words. Nothing if all is there. */
function wordsFor(language: EntryLanguage, code: string): string {
  if (code === language.locales.default) return 'default';
  const state = language.states?.find((each) => each.code === code);
  if (!state) return '';
  const { values, live, draft } = state;
  const missing = missingIn(state, language);
  if (values === 0) return draft ? 'draft' : 'not translated';
  if (!live) return 'not public';
  return missing.length > 0 ? `${countedAs(missing.length, 'field')} missing` : draft ? 'changed' : '';
}

/** The fields that have a value in the default language, and none in this one. */
function missingIn({ missing }: EntryLocale, { states, locales }: EntryLanguage): readonly string[] {
  const standard = states?.find(({ code }) => code === locales.default);
  return missing.filter((name) => standard?.missing.includes(name) !== true);
}

/** What is left to do in the language that is shown. */
function aboutOf(type: ContentType, entry: Entry | undefined, language: EntryLanguage) {
  const { own, states, locales, isDefault } = language;
  const standard = states?.find(({ code }) => code === locales.default);
  if (!own || !standard || isDefault) return '';
  const missing = missingIn(own, language);
  if (missing.length > 0) return `Missing: ${labelsOf(type, missing)}`;
  const isBehind = own.updated_at !== null && standard.updated_at !== null && own.updated_at < standard.updated_at;
  const name = locales.locales.find(({ code }) => code === locales.default)?.name ?? '';
  if (isBehind && entry?.status === 'published') return `${name} was changed later than this.`;
  return '';
}
