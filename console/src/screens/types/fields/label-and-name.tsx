import type { FieldErrors, UseFormRegister, UseFormSetValue } from 'react-hook-form';
import { TextField } from '../../../parts/fields/text-field';
import { nameOf } from '../../forms/fields/field-types';
import { NAME } from './names';

interface Names {
  label: string;
  name: string;
}

interface LabelAndNameProps {
  register: UseFormRegister<Names>;
  setValue: UseFormSetValue<Names>;
  errors: FieldErrors<Names>;
  /** The name does not follow the label any more. */
  isNameOwn: boolean;
  nameHelp: string;
  /** What else may be wrong with a name. */
  faultOf: (name: string) => string | undefined;
}

/** Label and name, which is made from the label of a new thing until somebody types one. */
export function LabelAndName({ register, setValue, errors, isNameOwn, nameHelp, faultOf }: LabelAndNameProps) {
  return (
    <>
      <TextField
        label="Label"
        help="What people read."
        autoComplete="off"
        maxLength={255}
        error={errors.label?.message}
        {...register('label', {
          required: 'Give it a label.',
          onChange: ({ target }: { target: HTMLInputElement }) => {
            if (!isNameOwn) setValue('name', nameOf(target.value));
          },
        })}
      />
      <TextField
        label="Name"
        help={nameHelp}
        autoComplete="off"
        spellCheck={false}
        dir="ltr"
        error={errors.name?.message}
        {...register('name', {
          required: 'Give it a name.',
          pattern: NAME,
          validate: (name) => faultOf(name) ?? true,
        })}
      />
    </>
  );
}
