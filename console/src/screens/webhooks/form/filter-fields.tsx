import { useQuery } from '@tanstack/react-query';
import type { UseFormReturn } from 'react-hook-form';
import { listTypes } from '../../../api/content-types';
import { listForms } from '../../../api/forms';
import { useLocales } from '../../../locales/use-locales';
import { Checkbox } from '../../../parts/fields/checkbox';
import { Disclosure } from '../../../parts/groups/disclosure';
import { Fieldset } from '../../../parts/groups/fieldset';
import { Select } from '../../../parts/fields/select';
import { TextField } from '../../../parts/fields/text-field';
import { may } from '../../../session/rights';
import { useTenant } from '../../../shell/tenant';
import type { FormValues } from './webhook-values';

/** An event is delivered if it fits every filter that applies to it. */
export function FilterFields({ form: { register, getValues } }: { form: UseFormReturn<FormValues> }) {
  const tenant = useTenant();
  const types = useQuery({
    queryKey: [tenant.id, 'types'],
    queryFn: ({ signal }) => listTypes(tenant.id, signal),
    enabled: may(tenant, 'content:read'),
  });
  const forms = useQuery({
    queryKey: [tenant.id, 'forms'],
    queryFn: ({ signal }) => listForms(tenant.id, signal),
    enabled: may(tenant, 'forms:read'),
  });
  const languages = useLocales(may(tenant, 'content:read')).data?.data.locales ?? [];
  const { contentTypes, forms: chosenForms, status, changed, locales } = getValues();
  const isUsed = [contentTypes, chosenForms, status, changed, locales].some(({ length }) => length > 0);
  return (
    <Disclosure title="Only some of them" isOpenAtFirst={isUsed}>
      {types.data && types.data.length > 0 && (
        <Fieldset legend="Only entries of these content types" help="None chosen: of all." isList>
          {types.data.map(({ slug, name }) => (
            <Checkbox key={slug} label={name} value={slug} {...register('contentTypes')} />
          ))}
        </Fieldset>
      )}
      {forms.data && forms.data.length > 0 && (
        <Fieldset legend="Only submissions of these forms" help="None chosen: of all." isList>
          {forms.data.map(({ slug, name }) => (
            <Checkbox key={slug} label={name} value={slug} {...register('forms')} />
          ))}
        </Fieldset>
      )}
      <Select label="Only entries with the status" {...register('status')}>
        <option value="">Any</option>
        <option value="published">Published</option>
        <option value="draft">Draft</option>
      </Select>
      <TextField
        label="Only changes of these fields"
        help="Names of fields, separated by commas. It applies to entry.updated."
        {...register('changed')}
      />
      {languages.length > 1 && (
        <Fieldset
          legend="Only changes of these languages"
          help="None chosen: of all. It applies to entries with translated fields."
          isList
        >
          {languages.map(({ code, name }) => (
            <Checkbox key={code} label={name} value={code} {...register('locales')} />
          ))}
        </Fieldset>
      )}
    </Disclosure>
  );
}
