import type { ReactNode } from 'react';
import type { FieldDefinition } from '../../../api/content-types';
import { Day, When } from '../../../parts/when';
import { MediaValue } from './media-value';
import { ReferenceValue } from './reference-value';
import { shortened, textOfHtml } from './short-text';
import styles from './value-cell.module.css';

/** Values of a list that are shown. The others are counted. */
const SHOWN = 3;

/** A value of an entry, short enough for a cell. Whatever somebody wrote is text. */
export function ValueCell({ definition, value }: { definition: FieldDefinition; value: unknown }) {
  if (value === undefined || value === null) return null;
  const { type } = definition;
  if (type === 'blocks') return <>{countOf(value, 'block')}</>;
  if (type === 'group') return definition.multiple ? <>{countOf(value, 'item')}</> : <Json value={value} />;
  const values: unknown[] = definition.multiple && Array.isArray(value) ? value : [value];
  const shown = values.slice(0, SHOWN);
  return (
    <span className={type === 'media' ? styles.media : styles.value} dir={type === 'media' ? undefined : 'auto'}>
      {shown.map((one, index) => (
        <Item key={index} isFirst={index === 0} isMedia={type === 'media'}>
          {oneOf(type, one)}
        </Item>
      ))}
      {values.length > SHOWN && <span className={styles.more}> +{(values.length - SHOWN).toLocaleString()}</span>}
    </span>
  );
}

function Item({ isFirst, isMedia, children }: { isFirst: boolean; isMedia: boolean; children: ReactNode }) {
  return (
    <>
      {!isFirst && !isMedia && ', '}
      {children}
    </>
  );
}

function oneOf(type: string, value: unknown): ReactNode {
  switch (type) {
    case 'rich_text':
      return typeof value === 'string' ? shortened(textOfHtml(value)) : null;
    case 'number':
    case 'integer':
      return typeof value === 'number' ? value.toLocaleString(undefined, { maximumFractionDigits: 20 }) : null;
    case 'boolean':
      return value === true ? 'Yes' : 'No';
    case 'date':
      return typeof value === 'string' ? <Day date={value} /> : null;
    case 'datetime':
      return typeof value === 'string' ? <When time={value} /> : null;
    case 'media':
      return <MediaValue value={value} />;
    case 'reference':
      return typeof value === 'string' ? <ReferenceValue id={value} /> : null;
    default:
      return typeof value === 'string' ? shortened(value) : <Json value={value} />;
  }
}

function Json({ value }: { value: unknown }) {
  return (
    <code className={styles.json} dir="ltr">
      {shortened(JSON.stringify(value))}
    </code>
  );
}

function countOf(value: unknown, thing: string): string {
  const count = Array.isArray(value) ? value.length : 0;
  return `${count.toLocaleString()} ${thing}${count === 1 ? '' : 's'}`;
}
