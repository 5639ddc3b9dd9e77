import { type KeyboardEvent, useId, useRef, useState } from 'react';
import type { FieldDefinition } from '../../../api/content-types';
import type { FoundEntry } from '../../../api/entries';
import { classNames } from '../../../parts/class-names';
import field from '../../../parts/fields/field.module.css';
import styles from './entry-combobox.module.css';
import type { ControlAttributes } from './field-frame';
import { useFoundEntries } from './use-found-entries';

interface EntryComboboxProps {
  control: ControlAttributes;
  definition: FieldDefinition;
  /** The title of the entry that is chosen; empty if there is none. */
  text: string;
  /** Whether the title is not known yet. */
  isPending?: boolean;
  /** Undefined: no entry any more. */
  onChoose: (entry: FoundEntry | undefined) => void;
}

/** Finds entries as one types: never all of them. */
export function EntryCombobox({ control, definition, text, isPending: isUnnamed, onChoose }: EntryComboboxProps) {
  const listId = useId();
  const list = useRef<HTMLUListElement>(null);
  const [typed, setTyped] = useState<string>();
  const [active, setActive] = useState(0);
  const isOpen = typed !== undefined;
  const { entries, typeNames, isPending, error } = useFoundEntries(definition, typed === text ? '' : typed);
  const { isInvalid, readOnly, ...attributes } = control;
  const close = () => setTyped(undefined);
  const choose = (entry: FoundEntry | undefined) => {
    close();
    onChoose(entry);
  };
  const move = (to: number) => {
    const index = Math.max(0, Math.min(to, entries.length - 1));
    setActive(index);
    list.current?.children[index]?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const keys: Record<string, () => void> = {
      ArrowDown: () => (isOpen ? move(active + 1) : setTyped(text)),
      ArrowUp: () => isOpen && move(active - 1),
      Enter: () => isOpen && entries[active] && choose(entries[active]),
      Escape: close,
    };
    const act = keys[event.key];
    if (!act || readOnly || (!isOpen && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  const activeId = isOpen && entries[active] ? `${listId}-${active}` : undefined;
  return (
    <div className={styles.combobox}>
      <input
        {...attributes}
        readOnly={readOnly}
        role="combobox"
        dir="auto"
        autoComplete="off"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={isOpen ? listId : undefined}
        aria-activedescendant={activeId}
        aria-busy={isUnnamed || undefined}
        placeholder={isUnnamed ? 'Loading …' : (definition.placeholder ?? 'Find an entry')}
        className={classNames(field.control, isInvalid && field.invalid)}
        value={typed ?? text}
        onChange={({ target }) => {
          setActive(0);
          setTyped(target.value);
        }}
        onClick={() => !readOnly && !isOpen && setTyped(text)}
        onBlur={() => {
          // An emptied box means that nothing is chosen.
          if (typed === '' && text !== '') choose(undefined);
          else close();
        }}
        onKeyDown={onKeyDown}
      />
      {isOpen && (
        <ul ref={list} id={listId} role="listbox" aria-label="Entries" className={styles.list}>
          {entries.map((entry, index) => (
            <li
              key={entry.id}
              id={`${listId}-${index}`}
              role="option"
              aria-selected={index === active}
              aria-label={entry.title || entry.id}
              className={styles.option}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => choose(entry)}
            >
              <span className={styles.title} dir="auto">
                {entry.title || entry.id}
              </span>
              <span
                className={styles.about}
                data-about={[typeNames.get(entry.content_type_id), entry.status === 'draft' && 'Draft']
                  .filter(Boolean)
                  .join(' · ')}
              />
            </li>
          ))}
          {entries.length === 0 && (
            <li role="option" aria-selected={false} aria-disabled className={styles.nothing}>
              {error ? error.message : isPending ? 'Searching …' : 'Nothing was found.'}
            </li>
          )}
        </ul>
      )}
    </div>
  );
}
