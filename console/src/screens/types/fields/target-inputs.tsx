import { useController, useFormContext } from 'react-hook-form';
import { Checkbox } from '../../../parts/fields/checkbox';
import { Fieldset } from '../../../parts/groups/fieldset';
import { Select } from '../../../parts/fields/select';
import type { DefinitionValues } from '../model/definition-values';
import { useTargets } from '../use-targets';

/** Which entries a reference leads to, and what becomes of it when one is deleted. */
export function TargetInputs() {
  const { register, formState } = useFormContext<DefinitionValues>();
  return (
    <>
      <TargetChoice />
      <Select
        label="When the entry is deleted"
        error={formState.errors.onDelete?.message}
        {...register('onDelete', {
          validate: (rule, { type, required }) =>
            type !== 'reference' || rule !== 'clear' || !required || 'A required field cannot be emptied.',
        })}
      >
        <option value="keep">Keep the reference</option>
        <option value="refuse">Refuse to delete it</option>
        <option value="clear">Empty this field</option>
      </Select>
    </>
  );
}

function TargetChoice() {
  const { types } = useTargets();
  const { field, fieldState } = useController<DefinitionValues, 'targets'>({
    name: 'targets',
    rules: {
      validate: (chosen, { type }) => type !== 'reference' || chosen.length > 0 || 'Choose at least one content type.',
    },
  });
  const toggle = (slug: string, isChosen: boolean) =>
    field.onChange(isChosen ? [...field.value, slug] : field.value.filter((each) => each !== slug));
  return (
    <Fieldset legend="Content types" error={fieldState.error?.message} isList>
      {types.length === 0 && <p>There is no content type yet. Make this one first.</p>}
      {types.map(({ slug, name }, index) => (
        <Checkbox
          key={slug}
          ref={index === 0 ? field.ref : undefined}
          label={name}
          checked={field.value.includes(slug)}
          onChange={({ target }) => toggle(slug, target.checked)}
        />
      ))}
    </Fieldset>
  );
}
