import type { FormField } from '../../../api/forms';
import { EditButtons } from '../../../parts/ordering/edit-buttons';
import { Row } from '../../../parts/rows';
import { TYPES } from './field-types';

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
    <Row title={label} actions={<EditButtons name={label} {...on} />}>
      {TYPES[type]}
      {required && ', required'} · <code>{name}</code>
    </Row>
  );
}
