import { useController, useFormContext, useWatch } from 'react-hook-form';
import { Link } from 'wouter';
import { useLocales } from '../../../locales/use-locales';
import { Checkbox } from '../../../parts/fields/checkbox';
import { Fieldset } from '../../../parts/groups/fieldset';
import type { DefinitionValues } from '../model/definition-values';

/** Whether each language has a value of its own, and which ones need one. */
export function TranslationInputs() {
  const { register, control } = useFormContext<DefinitionValues>();
  const isLocalized = useWatch({ control, name: 'localized' });
  const { data } = useLocales();
  const others = data?.data.locales.filter(({ code }) => code !== data.data.default) ?? [];
  return (
    <>
      <Checkbox label="Translated" help="Each language has its own value." {...register('localized')} />
      {isLocalized && others.length > 0 && <RequiredIn languages={others} />}
      {isLocalized && data && others.length === 0 && (
        <p>
          There is only one language so far. <Link href="/settings/languages">Add others in the settings</Link>.
        </p>
      )}
    </>
  );
}

function RequiredIn({ languages }: { languages: readonly { readonly code: string; readonly name: string }[] }) {
  const { field } = useController<DefinitionValues, 'requiredIn'>({ name: 'requiredIn' });
  const toggle = (code: string, isChosen: boolean) =>
    field.onChange(isChosen ? [...field.value, code] : field.value.filter((each) => each !== code));
  return (
    <Fieldset legend="Required in" help="Without a value, the language cannot be published." isList>
      {languages.map(({ code, name }) => (
        <Checkbox
          key={code}
          label={name}
          checked={field.value.includes(code)}
          onChange={({ target }) => toggle(code, target.checked)}
        />
      ))}
    </Fieldset>
  );
}
