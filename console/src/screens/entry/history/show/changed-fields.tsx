import type { Change, FieldChange } from '../compare/change';
import { ChangedItems } from './changed-items';
import { ChangedText } from './changed-text';
import { ChangedValue } from './changed-value';
import styles from './changes.module.css';

interface ChangedFieldsProps {
  fields: readonly FieldChange[];
  /** The level of their headings. */
  level: number;
}

export function ChangedFields({ fields, level }: ChangedFieldsProps) {
  return fields.map(({ label, change }) => (
    <div key={label} className={styles.field}>
      <div role="heading" aria-level={level} className={styles.label} dir="auto">
        {label}
      </div>
      <ShownChange change={change} level={level} />
    </div>
  ));
}

export function ShownChange({ change, level }: { change: Change; level: number }) {
  switch (change.kind) {
    case 'text':
      return <ChangedText change={change} />;
    case 'value':
      return <ChangedValue change={change} />;
    case 'fields':
      return (
        <div className={styles.inner}>
          <ChangedFields fields={change.fields} level={level + 1} />
        </div>
      );
    case 'items':
      return <ChangedItems items={change.items} level={level} />;
  }
}
