import { useForm, useWatch } from 'react-hook-form';
import { FORM_FIELD_TYPES, type FormField } from '../../../api/forms';
import { Checkbox } from '../../../parts/fields/checkbox';
import { Dialog } from '../../../parts/dialog';
import { SubmitButtons } from '../../../parts/submit-buttons';
import { Form } from '../../../parts/form';
import { Select } from '../../../parts/fields/select';
import { TextArea, TextField } from '../../../parts/fields/text-field';
import { nameOf, TYPES } from './field-types';
import { fieldOf, type FieldValues, HAS_LENGTH, valuesOf } from './field-values';

interface FieldDialogProps {
  /** Without one, a new field. */
  field?: FormField;
  /** The names of the other fields. */
  taken: readonly string[];
  onSave: (field: FormField) => void;
  onClose: () => void;
}

const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

export function FieldDialog({ field, taken, onSave, onClose }: FieldDialogProps) {
  const { register, handleSubmit, formState, control, setValue } = useForm<FieldValues>({
    defaultValues: valuesOf(field),
  });
  const type = useWatch({ control, name: 'type' });
  const { errors, dirtyFields } = formState;
  const isNameOwn = field !== undefined || dirtyFields.name === true;
  return (
    <Dialog title={field ? `Edit ${field.label || field.name}` : 'Add a field'} isOpen onClose={onClose}>
      <Form onSubmit={handleSubmit((values) => onSave(fieldOf(values, field)))}>
        <TextField
          label="Label"
          help="What visitors read."
          autoComplete="off"
          error={errors.label?.message}
          {...register('label', {
            required: 'Give the field a label.',
            onChange: ({ target }: { target: HTMLInputElement }) => {
              if (!isNameOwn) setValue('name', nameOf(target.value));
            },
          })}
        />
        <TextField
          label="Name"
          help={
            field
              ? 'With another name it is another field: submissions keep the values of this one.'
              : 'What programs read.'
          }
          autoComplete="off"
          spellCheck={false}
          dir="ltr"
          error={errors.name?.message}
          {...register('name', {
            required: 'Give the field a name.',
            pattern: { value: NAME, message: 'Use letters, digits, - and _, and begin with a letter.' },
            validate: (name) => !taken.includes(name) || 'Another field has this name.',
          })}
        />
        <Select label="Type" {...register('type')}>
          {FORM_FIELD_TYPES.map((each) => (
            <option key={each} value={each}>
              {TYPES[each]}
            </option>
          ))}
        </Select>
        {type === 'select' && (
          <TextArea
            label="Options"
            help="One on each line."
            rows={4}
            error={errors.options?.message}
            {...register('options', {
              validate: (options, { type: chosen }) =>
                chosen !== 'select' || options.trim() !== '' || 'Enter what can be chosen.',
            })}
          />
        )}
        {(type === 'select' || type === 'file') && <Checkbox label="Several" {...register('multiple')} />}
        {type === 'file' && (
          <TextField
            label="Allowed types"
            help="For example image/*, application/pdf. Empty: all."
            {...register('accept')}
          />
        )}
        {type === 'hidden' && <TextField label="Value" {...register('default')} />}
        {HAS_LENGTH.includes(type) && (
          <TextField label="At most" type="number" min={1} help="Characters." {...register('max')} />
        )}
        {type !== 'hidden' && (
          <>
            <TextField label="Help" help="A sentence below the field." {...register('help')} />
            <Checkbox label="Required" {...register('required')} />
          </>
        )}
        <SubmitButtons action={field ? 'Change field' : 'Add to the form'} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
