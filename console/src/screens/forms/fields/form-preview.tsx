import type { FormField } from '../../../api/forms';
import { Checkbox } from '../../../parts/fields/checkbox';
import { Select } from '../../../parts/fields/select';
import { TextArea, TextField } from '../../../parts/fields/text-field';
import styles from './form-preview.module.css';

/** The fields as visitors see them. Nothing can be sent from here. */
export function FormPreview({ fields }: { fields: readonly FormField[] }) {
  return (
    <div className={styles.preview} role="group" aria-label="Preview" inert>
      {fields.map((field) => (
        <PreviewField key={field.name} field={field} />
      ))}
    </div>
  );
}

function PreviewField({
  field: { name, type, label = name, help, required, options = [], multiple },
}: {
  field: FormField;
}) {
  const shown = { label: required ? `${label} *` : label, ...(help !== undefined && { help }) };
  if (type === 'hidden') return null;
  if (type === 'checkbox') return <Checkbox {...shown} />;
  if (type === 'textarea') return <TextArea {...shown} rows={4} />;
  if (type !== 'select') return <TextField {...shown} type={type} />;
  return (
    <Select {...shown} multiple={multiple}>
      {options.map((option) => (
        <option key={option}>{option}</option>
      ))}
    </Select>
  );
}
