import type { FieldError, FieldValues, Path, RegisterOptions, UseFormReturn } from 'react-hook-form';

/** Returns what ties a control to a value of the form, and says what is wrong with it: `<TextField label="Name" {...field('name')} />`. */
export function fieldsOf<Values extends FieldValues>({
  register,
  formState,
}: Pick<UseFormReturn<Values>, 'register' | 'formState'>) {
  const errors = formState.errors as Readonly<Partial<Record<string, FieldError>>>;
  return (name: Path<Values> & keyof Values, rules?: RegisterOptions<Values, Path<Values> & keyof Values>) => ({
    ...register(name, rules),
    error: errors[name]?.message,
  });
}
