import { type UseFormReturn, useWatch } from 'react-hook-form';
import { Checkbox } from '../../../parts/fields/checkbox';
import { fieldsOf } from '../../../parts/fields/fields-of';
import { Section } from '../../../parts/page';
import { Select } from '../../../parts/fields/select';
import { TextArea, TextField } from '../../../parts/fields/text-field';
import type { SettingValues } from './setting-values';

interface Props {
  form: UseFormReturn<SettingValues>;
}

/** Languages that the service speaks to visitors. */
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'ja', 'ar'];
const names = new Intl.DisplayNames('en', { type: 'language' });

export function NameFields({ form }: Props) {
  const field = fieldsOf(form);
  return (
    <Section title="The form">
      <TextField label="Name" {...field('name', { required: 'Give the form a name.' })} />
      <TextField
        label="Address"
        help="The last part of its address. Pages that send the form to the old address no longer reach it."
        dir="ltr"
        {...field('slug', { required: 'Give the form an address.' })}
      />
      <Checkbox label="Closed" help="Visitors are told so, and nothing is taken." {...field('closed')} />
    </Section>
  );
}

export function MailFields({ form }: Props) {
  const field = fieldsOf(form);
  const answers = useWatch({ control: form.control, name: 'answers' });
  return (
    <Section title="Emails">
      <TextField label="Send submissions to" type="email" {...field('notifyEmail')} />
      <Checkbox
        label="Answer the visitor by email"
        help="Only where spam protection has made sure that a person filled in the form."
        {...field('answers')}
      />
      {answers && (
        <>
          <TextField
            label="Field with the address of the visitor"
            help="The name of an email field of the form."
            {...field('answerField', { required: 'Name the field.' })}
          />
          <TextField label="Subject" {...field('answerSubject', { required: 'Enter a subject.' })} />
          <TextArea
            label="Text"
            rows={6}
            help="{{name}} stands for the value of the field with that name."
            {...field('answerText', { required: 'Enter a text.' })}
          />
        </>
      )}
    </Section>
  );
}

export function AfterFields({ form }: Props) {
  const field = fieldsOf(form);
  return (
    <Section title="After sending">
      <TextArea label="Thanks" help="What the visitor reads then." {...field('thanks')} />
      <TextField label="Or lead to this page" type="url" dir="ltr" {...field('redirect')} />
      <TextArea
        label="Websites that may be led to"
        help="One on each line, for example https://www.example.com."
        dir="ltr"
        {...field('redirectOrigins')}
      />
      <Select label="Language of the pages" {...field('language')}>
        <option value="">That of the visitor’s browser</option>
        {LANGUAGES.map((code) => (
          <option key={code} value={code}>
            {names.of(code)}
          </option>
        ))}
      </Select>
    </Section>
  );
}

export function SpamFields({ form }: Props) {
  const field = fieldsOf(form);
  return (
    <Section title="Spam" about="What looks like spam is kept apart. Visitors notice nothing.">
      <Checkbox
        label="Make the browser of the visitor compute something"
        help="It takes half a second and keeps programs away. A page of your own needs the script that Embed shows."
        {...field('challenge')}
      />
      <TextField
        label="Trap"
        help="The name of a field that people do not see. Programs fill it in."
        dir="ltr"
        {...field('honeypot')}
      />
      <TextField label="Seconds that a person needs at least" type="number" min={1} {...field('minSeconds')} />
      <TextField label="Links at most" type="number" min={0} {...field('maxLinks')} />
      <TextArea label="Blocked words" help="One on each line." {...field('blockedWords')} />
      <TextField
        label="Seconds in which the same is not taken twice"
        type="number"
        min={1}
        {...field('duplicatesWithin')}
      />
    </Section>
  );
}

export function StorageFields({ form }: Props) {
  const field = fieldsOf(form);
  return (
    <Section title="Storage">
      <TextField
        label="Delete submissions after this number of days"
        type="number"
        min={1}
        help="Empty: they are kept."
        {...field('retentionDays')}
      />
      <Checkbox
        label="Keep nothing"
        help="A submission is sent by email and to webhooks, and then deleted."
        {...field('discards')}
      />
      <TextField
        label="Submissions a minute from one address"
        type="number"
        min={1}
        max={600}
        help="Empty: 10, all forms together."
        {...field('rateLimit')}
      />
    </Section>
  );
}
