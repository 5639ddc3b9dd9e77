import { EditButtons } from '../../../parts/ordering/edit-buttons';
import { Row } from '../../../parts/rows';
import { fieldTypeInWords } from '../model/attributes';
import { type DraftField, labelOfField } from '../model/draft';
import { BlockList } from './block-list';
import { FieldList } from './field-list';

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
    <Row
      title={label}
      actions={<EditButtons name={label} {...{ onEdit, onRemove, onUp, onDown }} />}
      below={
        <>
          {fields && (
            <FieldList fields={fields} inside={label} onChange={(inner) => onChange({ ...field, fields: inner })} />
          )}
          {blocks && (
            <BlockList blocks={blocks} of={label} onChange={(inner) => onChange({ ...field, blocks: inner })} />
          )}
        </>
      }
    >
      <FieldFacts field={field} />
    </Row>
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
    <>
      {words.join(', ')} · <code>{name}</code>
      {was !== undefined && was !== name && (
        <>
          {' '}
          (until now <code>{was}</code>)
        </>
      )}
    </>
  );
}
