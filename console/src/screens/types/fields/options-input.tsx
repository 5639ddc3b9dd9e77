import { useFormContext } from 'react-hook-form';
import { TextArea } from '../../../parts/fields/text-field';
import { type DefinitionValues, linesOf } from '../model/definition-values';

/** What can be chosen. */
export function OptionsInput() {
  const { register, formState } = useFormContext<DefinitionValues>();
  return (
    <TextArea
      label="Options"
      help="One on each line."
      rows={4}
      error={formState.errors.options?.message}
      {...register('options', {
        validate: (text, { type }) => {
          if (type !== 'select') return true;
          const options = linesOf(text);
          if (options.length === 0) return 'Enter what can be chosen.';
          return new Set(options).size === options.length || 'An option is there twice.';
        },
      })}
    />
  );
}
