import { type ReactNode, useId, useRef, useState } from 'react';
import type { FieldDefinition } from '../../../api/content-types';
import { shortened } from '../../content/values/short-text';
import { titleField, titleOf } from '../../content/entry-title';
import { isRecord } from '../model/values';
import { useReadOnly } from '../use-read-only';
import { useFault, useFieldValue } from '../use-field';
import { useLed, useLedFocus } from '../use-led';
import field from '../../../parts/fields/field.module.css';
import { Fields } from './field';
import { Icon } from './icons';
import { ItemButtons } from './item-buttons';
import styles from './list.module.css';
import { useDrag } from './use-drag';
import type { ListModel } from './use-list';

/** Items from which on those that are there already begin closed. */
const MANY = 20;

/** What an item of a list is: a group, or a block of its kind. */
export interface Kind {
  readonly label: string;
  readonly fields: readonly FieldDefinition[];
}

interface CardsProps {
  list: ListModel;
  path: string;
  kindOf: (item: unknown) => Kind;
}

/** Items that have fields of their own. Each can be closed, so that there is an overview of many. */
export function Cards({ list, path, kindOf }: CardsProps) {
  const drag = useDrag(list.move);
  const [first] = useState(() => new Set(list.keys.length > MANY ? list.keys : []));
  const isReadOnly = useReadOnly();
  if (list.keys.length === 0) return isReadOnly ? <p className={styles.nothing}>None</p> : null;
  return (
    <ol className={styles.cards}>
      {list.keys.map((key, index) => (
        <li key={key} {...drag.item(index)}>
          <Card
            path={`${path}.${index}`}
            number={index + 1}
            kindOf={kindOf}
            isClosed={first.has(key)}
            handle={
              isReadOnly ? null : (
                <span {...drag.handle(index)} className={styles.handle}>
                  <Icon name="handle" />
                </span>
              )
            }
            buttons={isReadOnly ? null : <ItemButtons list={list} index={index} canDuplicate />}
          />
        </li>
      ))}
    </ol>
  );
}

interface CardProps {
  path: string;
  number: number;
  kindOf: (item: unknown) => Kind;
  /** Whether it begins closed. */
  isClosed: boolean;
  handle: ReactNode;
  buttons: ReactNode;
}

function Card({ path, number, kindOf, isClosed, handle, buttons }: CardProps) {
  const id = useId();
  const card = useRef<HTMLDivElement>(null);
  const item = useFieldValue(path);
  const fault = useFault(path);
  const led = useLed((at) => at.startsWith(`${path}.`));
  const [isOpen, setOpen] = useState(!isClosed || led !== undefined);
  const [seen, setSeen] = useState(led);
  if (led && led !== seen) {
    setSeen(led);
    setOpen(true);
  }
  useLedFocus(path, card);
  const { label, fields } = kindOf(item);
  return (
    <div ref={card} role="group" aria-label={`${label} ${number}`} className={styles.card}>
      <div className={styles.head}>
        {handle}
        {fields.length > 0 ? (
          <button
            type="button"
            className={styles.toggle}
            aria-expanded={isOpen}
            aria-controls={isOpen ? id : undefined}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name="open" />
            <CardTitle label={label} summary={summaryOf(fields, item)} />
          </button>
        ) : (
          <span className={styles.toggle}>
            <CardTitle label={label} summary="" />
          </span>
        )}
        {buttons}
      </div>
      {fault && <p className={field.error}>{fault.message}</p>}
      {isOpen && fields.length > 0 && (
        <div id={id} className={styles.body}>
          <Fields definitions={fields} path={path} />
        </div>
      )}
    </div>
  );
}

function CardTitle({ label, summary }: { label: string; summary: string }) {
  return (
    <>
      <span className={styles.kind} dir="auto">
        {label}
      </span>
      <span className={styles.summary} dir="auto">
        {summary}
      </span>
    </>
  );
}

/** The words by which one tells an item from the others. */
function summaryOf(fields: readonly FieldDefinition[], item: unknown): string {
  const title = titleField({ fields });
  return title && isRecord(item) ? shortened(titleOf(title, { id: '', fields: item })) : '';
}
