import { Button } from '../../../parts/button';
import { MoveButtons } from '../../../parts/ordering/move-buttons';
import { fieldTypeInWords } from '../model/attributes';
import { type DraftField, labelOfField } from '../model/draft';
import { BlockList } from './block-list';
import { FieldList } from './field-list';
import styles from './fields.module.css';

interface FieldItemProps {
  field: DraftField;
  onEdit: () => void;
  /** What is inside of a group or of blocks changed. */
  onChange: (field: DraftField) => void;
  onRemove: () => void;
  onUp?: () => void;
  onDown?: () => void;
}

export function FieldItem({ field, onEdit, onChange, onRemove, onUp, onDown }: FieldItemProps) {
  const label = labelOfField(field);
  const { fields, blocks } = field;
  return (
    <li className={styles.item}>
      <div className={styles.row}>
        <div className={styles.what}>
          <strong dir="auto">{label}</strong>
          <FieldFacts field={field} />
        </div>
        <div className={styles.actions}>
          <MoveButtons onUp={onUp} onDown={onDown} />
          <Button aria-label={`Edit ${label}`} onClick={onEdit}>
            Edit
          </Button>
          <Button aria-label={`Remove ${label}`} onClick={onRemove}>
            Remove
          </Button>
        </div>
      </div>
      {fields && (
        <FieldList fields={fields} inside={label} onChange={(inner) => onChange({ ...field, fields: inner })} />
      )}
      {blocks && <BlockList blocks={blocks} of={label} onChange={(inner) => onChange({ ...field, blocks: inner })} />}
    </li>
  );
}

/** What a field is, in one line. */
function FieldFacts({ field: { definition, was } }: { field: DraftField }) {
  const { name, type, required, unique, multiple, localized } = definition;
  const words = [
    fieldTypeInWords(type),
    required && 'required',
    unique && 'unique',
    multiple && 'several',
    localized && 'translated',
  ].filter(Boolean);
  return (
    <span className={styles.about}>
      {words.join(', ')} · <code>{name}</code>
      {was !== undefined && was !== name && (
        <>
          {' '}
          (until now <code>{was}</code>)
        </>
      )}
    </span>
  );
}
