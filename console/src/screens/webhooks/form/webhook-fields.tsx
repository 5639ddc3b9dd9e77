import { useWatch, type UseFormReturn } from 'react-hook-form';
import { Checkbox } from '../../../parts/fields/checkbox';
import { fieldsOf } from '../../../parts/fields/fields-of';
import { Fieldset } from '../../../parts/groups/fieldset';
import { Select } from '../../../parts/fields/select';
import { TextField } from '../../../parts/fields/text-field';
import { EventChoice } from './event-choice';
import { FilterFields } from './filter-fields';
import { HeaderFields } from './header-fields';
import type { FormValues } from './webhook-values';

/** The labels of what the service may object to. */
export const LABELS = {
  url: 'URL',
  description: 'Description',
  events: 'Events',
  headers: 'Headers',
  secret: 'Secret',
  maxConcurrency: 'Requests at once',
} as const;

interface WebhookFieldsProps {
  form: UseFormReturn<FormValues>;
  /** A new one may get a key pair, which is chosen once. */
  isNew: boolean;
}

export function WebhookFields({ form, isNew }: WebhookFieldsProps) {
  const field = fieldsOf(form);
  const signing = useWatch({ control: form.control, name: 'signing' });
  return (
    <>
      <TextField
        label="URL"
        type="url"
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
        placeholder="https://"
        {...field('url', { required: 'Enter the URL that receives events.' })}
      />
      <TextField label="Description" help="What it is for." {...field('description')} />
      <EventChoice form={form} />
      <FilterFields form={form} />
      <HeaderFields form={form} />
      <Select
        label="Signature"
        help="The receiver verifies with it that a request comes from here."
        {...field('signing')}
      >
        {!isNew && <option value="keep">As it is</option>}
        <option value="generate">With a new secret, which is shown once</option>
        <option value="own">With a secret that I enter</option>
        {isNew && <option value="ed25519">With a key pair, whose public key is always shown</option>}
        <option value="none">{isNew ? 'Not signed' : 'Without any secret, from now on'}</option>
      </Select>
      {signing === 'own' && (
        <TextField
          label="Secret"
          dir="ltr"
          autoComplete="off"
          spellCheck={false}
          {...field('secret', { required: 'Enter the secret.' })}
        />
      )}
      <Fieldset legend="Deliveries">
        <Select label="Content" {...field('payload')}>
          <option value="full">The whole entry, submission or file</option>
          <option value="thin">Only its ID</option>
        </Select>
        <TextField
          label="Requests at once"
          type="number"
          min={1}
          max={100}
          help="Empty: up to 20."
          {...field('maxConcurrency')}
        />
        <Checkbox
          label="In order"
          help="Events of one entry wait until those before them have arrived or failed."
          {...field('ordered')}
        />
      </Fieldset>
      <Checkbox label="Active" help="An inactive webhook receives nothing." {...field('active')} />
    </>
  );
}
