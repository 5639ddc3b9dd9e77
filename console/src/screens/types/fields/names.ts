import type { DraftField } from '../model/draft';

export const NAME = {
  value: /^[A-Za-z][A-Za-z0-9_]{0,63}$/,
  message: 'Use letters, digits and _, and begin with a letter.',
};

/** Why the field cannot have this name beside the others. `was` is the name that it has in the stored type. */
export function nameFault(name: string, others: readonly DraftField[], was: string | undefined): string | undefined {
  if (others.some(({ definition }) => definition.name === name)) return 'Another field has this name.';
  if (name === was || !others.some((other) => other.was === name)) return undefined;
  return 'Another field has had this name until now. Apply that change first.';
}
