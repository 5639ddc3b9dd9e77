import { Checkbox } from '../../../parts/fields/checkbox';
import { Fieldset } from '../../../parts/groups/fieldset';
import { Select } from '../../../parts/fields/select';
import { TextArea, TextField } from '../../../parts/fields/text-field';
import { type DraftField, labelOfField } from '../model/draft';
import styles from './entry-preview.module.css';

/** The form of an entry, as far as its definitions say it. Nothing can be typed, and nothing is read aloud twice. */
export function EntryPreview({ fields }: { fields: readonly DraftField[] }) {
  if (fields.length === 0) return <p>Each field that you add is shown here.</p>;
  const tabs = [...new Set(fields.map(tabOf))];
  return (
    <div className={styles.preview} aria-hidden inert>
      {tabs.map((tab) => (
        <div key={tab} className={styles.preview}>
          {tab !== '' && (
            <p className={styles.tab} dir="auto">
              {tab}
            </p>
          )}
          {fields
            .filter((field) => tabOf(field) === tab)
            .map((field) => (
              <PreviewField key={field.key} field={field} />
            ))}
        </div>
      ))}
    </div>
  );
}

function tabOf({ definition }: DraftField): string {
  return definition.group ?? '';
}

function PreviewField({ field }: { field: DraftField }) {
  const { fields, blocks } = field;
  if (fields) return <PreviewGroup legend={labelOfField(field)} fields={fields} />;
  if (!blocks) return <PreviewControl field={field} />;
  return (
    <Fieldset legend={labelOfField(field)}>
      {blocks.map(({ key, label, name, fields: inner }) => (
        <PreviewGroup key={key} legend={label || name} fields={inner} />
      ))}
    </Fieldset>
  );
}

function PreviewGroup({ legend, fields }: { legend: string; fields: readonly DraftField[] }) {
  return (
    <div className={styles.group}>
      <Fieldset legend={legend}>
        {fields.map((field) => (
          <PreviewField key={field.key} field={field} />
        ))}
      </Fieldset>
    </div>
  );
}

const BOXES: Readonly<Record<string, string>> = {
  integer: 'number',
  number: 'number',
  date: 'date',
  datetime: 'datetime-local',
  email: 'email',
  url: 'url',
  media: 'file',
  reference: 'search',
};

function PreviewControl({ field }: { field: DraftField }) {
  const { type, help, placeholder, required, options = [], multiple } = field.definition;
  const name = labelOfField(field);
  const shown = { label: required ? `${name} *` : name, ...(help !== undefined && { help }) };
  if (type === 'boolean') return <Checkbox {...shown} />;
  if (type === 'rich_text' || type === 'json') return <TextArea {...shown} placeholder={placeholder} rows={4} />;
  if (type !== 'select') return <TextField {...shown} type={BOXES[type] ?? 'text'} placeholder={placeholder} />;
  return (
    <Select {...shown} multiple={multiple}>
      {!multiple && <option />}
      {options.map((option) => (
        <option key={option}>{option}</option>
      ))}
    </Select>
  );
}
