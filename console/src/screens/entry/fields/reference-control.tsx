import { Link } from 'wouter';
import type { FoundEntry } from '../../../api/entries';
import { labelOf } from '../../content/fields';
import { useEditor } from '../use-editor';
import { useReadOnly } from '../use-read-only';
import { useFieldValue } from '../use-field';
import { EntryCombobox } from './entry-combobox';
import { FieldFrame, type FieldProps } from './field-frame';
import { FieldGroup } from './field-group';
import { Icon } from './icons';
import { ItemButtons } from './item-buttons';
import styles from './list.module.css';
import { useDrag } from './use-drag';
import { itemsAt, useList } from './use-list';
import { useReferred } from './use-referred';

/** The entry that the value refers to, found by its title. */
export function ReferenceControl(props: FieldProps) {
  const { definition, path } = props;
  const { form } = useEditor();
  const value = useFieldValue(path);
  const id = typeof value === 'string' ? value : undefined;
  const { referred, isPending, note } = useReferred(definition, id === undefined ? [] : [id]);
  const entry = id === undefined ? undefined : referred.get(id);
  return (
    <FieldFrame {...props}>
      {(control) => (
        <>
          <EntryCombobox
            control={control}
            definition={definition}
            text={id === undefined || isPending ? '' : (entry?.title ?? id)}
            isPending={isPending}
            onChoose={(found) => {
              if (found) note(found, [found.id]);
              form.set(path, found?.id);
            }}
          />
          {entry && (
            <p className={styles.open}>
              <Link href={entry.href}>Open {entry.title}</Link>
            </p>
          )}
        </>
      )}
    </FieldFrame>
  );
}

/** Entries that the value refers to, in their order. */
export function ReferencesControl({ definition, path }: FieldProps) {
  const { form } = useEditor();
  const isReadOnly = useReadOnly();
  const list = useList(path);
  const drag = useDrag(list.move);
  const value = useFieldValue(path);
  const ids = Array.isArray(value) ? (value as unknown[]).filter((item) => typeof item === 'string') : [];
  const { referred, isPending, note } = useReferred(definition, ids);
  const add = (found: FoundEntry) => {
    if (itemsAt(form, path).includes(found.id)) return;
    note(found, [...ids, found.id]);
    list.add(found.id);
  };
  return (
    <FieldGroup definition={definition} path={path}>
      {list.keys.length > 0 && (
        <ol className={styles.values}>
          {list.keys.map((key, index) => {
            const id = ids[index] ?? '';
            const entry = referred.get(id);
            return (
              <li key={key} {...drag.item(index)}>
                <div className={styles.row}>
                  {!isReadOnly && (
                    <span {...drag.handle(index)} className={styles.handle}>
                      <Icon name="handle" />
                    </span>
                  )}
                  <span className={styles.title} dir="auto">
                    {entry ? <Link href={entry.href}>{entry.title}</Link> : isPending ? '…' : id}
                  </span>
                  {!isReadOnly && <ItemButtons list={list} index={index} />}
                </div>
              </li>
            );
          })}
        </ol>
      )}
      {!isReadOnly && (
        <FieldFrame definition={{ ...definition, required: false }} path={`${path}.+`} label={labelOf(definition)}>
          {(control) => (
            <EntryCombobox
              control={control}
              definition={definition}
              text=""
              onChoose={(found) => found && add(found)}
            />
          )}
        </FieldFrame>
      )}
    </FieldGroup>
  );
}
