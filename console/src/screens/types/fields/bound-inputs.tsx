import { useFormContext } from 'react-hook-form';
import { TextField } from '../../../parts/fields/text-field';
import { type FieldType, hasAttribute } from '../model/attributes';
import type { DefinitionValues } from '../model/definition-values';

/** How large a number is, or how long a text. */
export function BoundInputs({ type }: { type: FieldType }) {
  const { register, formState } = useFormContext<DefinitionValues>();
  const isNumber = type === 'number' || type === 'integer';
  const help = isNumber ? undefined : 'Characters.';
  const limits = isNumber ? { step: type === 'integer' ? 1 : 'any' } : { min: 0, step: 1 };
  return (
    <>
      <TextField label="At least" type="number" {...limits} help={help} {...register('min')} />
      <TextField
        label="At most"
        type="number"
        {...limits}
        help={help}
        error={formState.errors.max?.message}
        {...register('max', {
          validate: (max, { min, type: chosen }) =>
            !hasAttribute(chosen, 'bounds', false) ||
            max === '' ||
            min === '' ||
            Number(min) <= Number(max) ||
            'This is less than the least.',
        })}
      />
    </>
  );
}
