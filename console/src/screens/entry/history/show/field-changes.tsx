import { useMemo } from 'react';
import type { ContentType } from '../../../../api/content-types';
import type { Difference } from '../../../../api/entry-parts/history';
import { classNames } from '../../../../parts/class-names';
import type { Locales } from '../../../../api/locales';
import { useEntryLanguage } from '../../language/entry-language';
import { labelInLanguage } from '../../language/label-in-language';
import { useIsWide } from './use-is-wide';
import { referencesOf } from '../../names/references-in';
import { useEntryNames } from '../../names/use-entry-names';
import type { FieldChange } from '../compare/change';
import { compare } from '../compare/compare';
import { ChangedFields } from './changed-fields';
import { NamesContext } from './names-context';
import styles from './changes.module.css';

interface FieldChangesProps {
  type: ContentType;
  differences: readonly Difference[];
  /** What is on the left, and on the right. */
  sides: readonly [string, string];
}

/** The fields that differ, in the order of the content type. Where there is room, before and after are beside each other. */
export function FieldChanges({ type, differences, sides }: FieldChangesProps) {
  const isWide = useIsWide();
  const locales = useEntryLanguage()?.locales;
  const changes = useMemo(() => changesOf(type, differences, locales), [type, differences, locales]);
  const places = useMemo(
    () =>
      differences.flatMap(({ field, before, after }) => {
        const definition = definitionOf(type, field);
        return [before, after].flatMap((value) => referencesOf(definition, value));
      }),
    [type, differences],
  );
  const { names } = useEntryNames(places);
  if (changes.length === 0) return <p>The values are the same.</p>;
  return (
    <NamesContext value={names}>
      <div className={classNames(styles.changes, isWide && styles.wide)}>
        {isWide && (
          <div className={styles.sides}>
            {sides.map((side) => (
              <p key={side} className={styles.side}>
                {side}
              </p>
            ))}
          </div>
        )}
        <ChangedFields fields={changes} level={3} />
      </div>
    </NamesContext>
  );
}

function changesOf(
  type: ContentType,
  differences: readonly Difference[],
  locales: Locales | undefined,
): readonly FieldChange[] {
  const place = ({ field }: Difference) => type.fields.findIndex(({ name }) => name === field);
  const ordered = [...differences].sort((one, other) => place(one) - place(other));
  return ordered.map(({ field, locale, before, after }) => {
    const definition = definitionOf(type, field);
    return { label: labelInLanguage(locales, definition, locale), change: compare(definition, before, after) };
  });
}

/** A field that the type does not have any more is shown as it is stored. */
function definitionOf({ fields }: ContentType, field: string) {
  return fields.find(({ name }) => name === field) ?? { name: field, type: 'json' };
}
