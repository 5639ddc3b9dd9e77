import { useFormContext, useWatch } from 'react-hook-form';
import { Select } from '../../../parts/fields/select';
import { TextArea, TextField } from '../../../parts/fields/text-field';
import type { FieldType } from '../model/attributes';
import { defaultFault } from '../model/default-value';
import { type DefinitionValues, linesOf } from '../model/definition-values';

const BOXES: Partial<Record<FieldType, string>> = { date: 'date', number: 'number', integer: 'number' };
const LONG: readonly FieldType[] = ['rich_text', 'json'];

/** The value of new entries that do not say another. */
export function DefaultInput() {
  const { register, formState, control } = useFormContext<DefinitionValues>();
  const [type, multiple, options] = useWatch({ control, name: ['type', 'multiple', 'options'] });
  const shown = {
    label: 'Default',
    error: formState.errors.default?.message,
    ...register('default', {
      validate: (text, values) => defaultFault({ ...values, default: text }) ?? true,
    }),
  };
  const isChoice = !multiple && (type === 'boolean' || type === 'select');
  if (isChoice) {
    const choices =
      type === 'boolean' ? { true: 'Yes', false: 'No' } : Object.fromEntries(linesOf(options).map((one) => [one, one]));
    return (
      <Select {...shown}>
        <option value="">None</option>
        {Object.entries(choices).map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </Select>
    );
  }
  if (multiple && type !== 'json') return <TextArea {...shown} rows={3} help="One value on each line." />;
  if (LONG.includes(type)) return <TextArea {...shown} rows={4} help={type === 'json' ? 'As JSON.' : 'As HTML.'} />;
  return (
    <TextField
      {...shown}
      type={BOXES[type] ?? 'text'}
      step="any"
      help={type === 'datetime' ? 'For example 2026-01-31T09:30:00Z.' : undefined}
    />
  );
}
