import { useId } from 'react';
import { useSearchParams } from 'wouter';
import type { ContentType } from '../../../api/content-types';
import type { Entry } from '../../../api/entries';
import type { EntryLocale } from '../../../api/locales';
import { classNames } from '../../../parts/class-names';
import field from '../../../parts/field.module.css';
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
  const { code: shown, locales, states } = language;
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
            {[
              name,
              wordsFor(
                states?.find((state) => state.code === code),
                code === locales.default,
              ),
            ]
              .filter(Boolean)
              .join(' · ')}
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
function wordsFor(state: EntryLocale | undefined, isDefault: boolean): string {
  if (isDefault) return 'default';
  if (!state) return '';
  const { values, live, draft, missing } = state;
  if (values === 0) return draft ? 'draft' : 'not translated';
  if (!live) return 'not public';
  return missing.length > 0 ? `${countedAs(missing.length, 'field')} missing` : draft ? 'changed' : '';
}

/** What is left to do in the language that is shown. */
function aboutOf(type: ContentType, entry: Entry | undefined, { own, states, locales, isDefault }: EntryLanguage) {
  const standard = states?.find(({ code }) => code === locales.default);
  if (!own || !standard || isDefault) return '';
  const missing = own.missing.filter((name) => !standard.missing.includes(name));
  if (missing.length > 0) return `Missing: ${labelsOf(type, missing)}`;
  const isBehind = own.updated_at !== null && standard.updated_at !== null && own.updated_at < standard.updated_at;
  const name = locales.locales.find(({ code }) => code === locales.default)?.name ?? '';
  if (isBehind && entry?.status === 'published') return `${name} was changed later than this.`;
  return '';
}
