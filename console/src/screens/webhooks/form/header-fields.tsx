import { useFieldArray, type UseFormReturn } from 'react-hook-form';
import { Button } from '../../../parts/button';
import { Fieldset } from '../../../parts/groups/fieldset';
import { TextField } from '../../../parts/fields/text-field';
import styles from './header-fields.module.css';
import type { FormValues } from './webhook-values';

const MAX_HEADERS = 10;

/** Headers of every delivery. A stored value is shown as `***`, and kept if it is left so. */
export function HeaderFields({ form: { register, control, formState } }: { form: UseFormReturn<FormValues> }) {
  const { fields, append, remove } = useFieldArray({ control, name: 'headers' });
  const { errors } = formState;
  return (
    <Fieldset
      legend="Headers"
      help="Sent with every delivery, for example Authorization. Values are stored encrypted."
      error={errors.headers?.message ?? errors.headers?.root?.message}
    >
      {fields.map(({ id }, index) => (
        <div key={id} className={styles.header}>
          <TextField
            label="Header"
            dir="ltr"
            autoComplete="off"
            spellCheck={false}
            error={errors.headers?.[index]?.name?.message}
            {...register(`headers.${index}.name`, { required: 'Name the header, or remove it.' })}
          />
          <TextField
            label="Value"
            dir="ltr"
            autoComplete="off"
            spellCheck={false}
            error={errors.headers?.[index]?.value?.message}
            {...register(`headers.${index}.value`, { required: 'Enter its value.' })}
          />
          <Button look="quiet" onClick={() => remove(index)}>
            Remove
          </Button>
        </div>
      ))}
      {fields.length < MAX_HEADERS && (
        <div>
          <Button onClick={() => append({ name: '', value: '' })}>Add header</Button>
        </div>
      )}
    </Fieldset>
  );
}
