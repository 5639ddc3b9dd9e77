import { Fragment, type ReactNode, useMemo } from 'react';
import type { FieldDefinition } from '../../api/content-types';
import { labelOf } from '../content/fields';
import styles from './conflict-dialog.module.css';
import { NamesContext } from './history/show/names-context';
import { ShownValue } from './history/show/shown-value';
import { innerFields } from './model/faults';
import { textOfValue } from './model/value-text';
import { isRecord, Unreadable } from './model/values';
import { referencesOf } from './names/references-in';
import { useEntryNames } from './names/use-entry-names';

interface ConflictValueProps {
  definition: FieldDefinition;
  value: unknown;
}

/** A value as people read it: entries by their titles, and groups and blocks by the labels of their fields. */
export default function ConflictValue({ definition, value }: ConflictValueProps) {
  const places = useMemo(() => referencesOf(definition, value), [definition, value]);
  const { names } = useEntryNames(places);
  return <NamesContext value={names}>{shown(definition, value)}</NamesContext>;
}

function shown(definition: FieldDefinition, value: unknown): ReactNode {
  if (value instanceof Unreadable || definition.type === 'json') return textOfValue(value);
  if (Array.isArray(value)) {
    return (
      <ol className={styles.items}>
        {(value as unknown[]).map((item, index) => (
          <li key={index}>{shown(definition, item)}</li>
        ))}
      </ol>
    );
  }
  const fields = innerFields(definition, value);
  if (!fields || !isRecord(value)) return <ShownValue definition={definition} value={value} />;
  return (
    <dl className={styles.fields}>
      {fields
        .filter(({ name }) => value[name] !== undefined)
        .map((field) => (
          <Fragment key={field.name}>
            <dt dir="auto">{labelOf(field)}</dt>
            <dd dir="auto">{shown(field, value[field.name])}</dd>
          </Fragment>
        ))}
    </dl>
  );
}
