import { type ReactNode, useState } from 'react';
import type { FieldDefinition } from '../../../api/content-types';
import { localeName } from '../../../locales/use-locales';
import { Button } from '../../../parts/button';
import { useTenant } from '../../../shell/tenant';
import { labelOf } from '../../content/fields';
import { linesOfHtml } from '../../content/values/short-text';
import ConflictValue from '../conflict-value';
import { useEditor } from '../use-editor';
import { useFieldValue } from '../use-field';
import { ReadOnlyContext, useReadOnly } from '../use-read-only';
import { useEntryLanguage } from './entry-language';
import styles from './language.module.css';

interface FieldInLanguageProps {
  definition: FieldDefinition;
  children: ReactNode;
}

/** A field in a language: beside a translated one is what the default language says; the others are the same in all. */
export function FieldInLanguage({ definition, children }: FieldInLanguageProps) {
  const { locales: own } = useTenant();
  const language = useEntryLanguage();
  if (!language || language.isDefault) return children;
  const { default: standard } = language.locales;
  if (definition.localized) {
    return (
      <div className={styles.translated} data-beside>
        <div className={styles.columns}>
          {children}
          <StandardValue definition={definition} />
        </div>
      </div>
    );
  }
  const mayChange = own === undefined || own.includes(standard);
  return (
    <ReadOnlyContext value={!mayChange}>
      <div className={styles.shared}>
        {children}
        <p className={styles.note}>
          Shared by all languages{mayChange && `, and published with ${localeName(language.locales, standard)}`}.
        </p>
      </div>
    </ReadOnlyContext>
  );
}

/** What the default language says, to be read and copied. */
function StandardValue({ definition }: { definition: FieldDefinition }) {
  const { form } = useEditor();
  const isReadOnly = useReadOnly();
  const language = useEntryLanguage();
  const { name } = definition;
  const current = useFieldValue(name);
  const [copied, setCopied] = useState<{ readonly before: unknown; readonly value: unknown }>();
  if (!language?.standard) return <div className={styles.standard} />;
  const { locales, standard } = language;
  const value = standard[name];
  const from = localeName(locales, locales.default);
  const label = labelOf(definition);
  const isCopied = copied !== undefined && copied.value === current;
  const copy = () => {
    setCopied({ before: current, value });
    form.set(name, value);
  };
  return (
    <div className={styles.standard}>
      <div className={styles.head}>
        <span>{from}</span>
        {value !== undefined && !isReadOnly && !isCopied && (
          <Button look="quiet" className={styles.copy} aria-label={`Copy ${from} to ${label}`} onClick={copy}>
            Copy
          </Button>
        )}
        {isCopied && (
          <Button
            look="quiet"
            className={styles.copy}
            aria-label={`Undo the copy to ${label}`}
            onClick={() => form.set(name, copied.before)}
          >
            Undo
          </Button>
        )}
      </div>
      {value === undefined ? (
        <p className={styles.nothing}>Nothing</p>
      ) : (
        <div
          className={styles.value}
          dir="auto"
          lang={locales.default}
          role="region"
          aria-label={`${from}: ${label}`}
          tabIndex={0}
        >
          {definition.type === 'rich_text' && typeof value === 'string' ? (
            // Without a text, it is shown as it is written.
            linesOfHtml(value) || value
          ) : (
            <ConflictValue definition={definition} value={value} />
          )}
        </div>
      )}
    </div>
  );
}
