import type { FormField } from '../../../api/forms';
import { Button } from '../../../parts/button';
import { MoveButtons } from '../../../parts/ordering/move-buttons';
import { TYPES } from './field-types';
import styles from './fields-tab.module.css';

interface FieldRowProps {
  field: FormField;
  onEdit: () => void;
  /** Not of the only field. */
  onRemove?: () => void;
  onUp?: () => void;
  onDown?: () => void;
}

export function FieldRow({ field: { name, type, label = name, required }, ...on }: FieldRowProps) {
  return (
    <li className={styles.field}>
      <div className={styles.what}>
        <strong dir="auto">{label}</strong>
        <span className={styles.about}>
          {TYPES[type]}
          {required && ', required'} · <code>{name}</code>
        </span>
      </div>
      <div className={styles.actions}>
        <MoveButtons onUp={on.onUp} onDown={on.onDown} />
        <Button aria-label={`Edit ${label}`} onClick={on.onEdit}>
          Edit
        </Button>
        <Button aria-label={`Remove ${label}`} disabled={!on.onRemove} onClick={on.onRemove}>
          Remove
        </Button>
      </div>
    </li>
  );
}
