import { useId, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import type { Versioned } from '../../../api/entry';
import type { Locale, Locales } from '../../../api/locales';
import { ApiProblem } from '../../../api/problem';
import { Dialog } from '../../../parts/dialog';
import { SubmitButtons } from '../../../parts/submit-buttons';
import { Form } from '../../../parts/form';
import { ProblemMessage } from '../../../parts/problem-message';
import { Select } from '../../../parts/fields/select';
import { TextField } from '../../../parts/fields/text-field';
import { possibleFallbacks, withLocale } from './changed-locales';
import { codeOf, KNOWN_LANGUAGES, languageName } from './known-languages';
import { useSetLocales } from './use-set-locales';

interface LanguageFormProps {
  stored: Versioned<Locales>;
  /** The language to change. Without it, a new one. */
  locale?: Locale;
  onClose: () => void;
}

interface Values {
  code: string;
  name: string;
  /** Empty: nothing. */
  fallback: string;
}

export function LanguageForm({ stored, locale, onClose }: LanguageFormProps) {
  const list = useId();
  const { data: locales } = stored;
  const isDefault = locale?.code === locales.default;
  const [problem, setProblem] = useState<unknown>();
  const { register, handleSubmit, formState, setError, setValue, control } = useForm<Values>({
    defaultValues: {
      code: locale?.code ?? '',
      name: locale?.name ?? '',
      fallback: locale ? (locale.fallback ?? '') : locales.default,
    },
  });
  const { errors, dirtyFields } = formState;
  const name = useWatch({ control, name: 'name' });
  const { mutate, isPending } = useSetLocales({
    ...{ stored, onClose },
    done: locale ? `${name} was saved.` : `${name} was added.`,
    onError: (error) => {
      const fields = error instanceof ApiProblem ? error.errors.map(({ path, message }) => ({ path, message })) : [];
      const own = fields.filter(({ path }) => /^locales\.\d+\.(code|name|fallback)$/.test(path));
      for (const { path, message } of own) setError(path.replace(/^locales\.\d+\./, '') as keyof Values, { message });
      setProblem(own.length > 0 && own.length === fields.length ? undefined : error);
    },
  });
  const suggestName = (typed: string) => {
    if (!dirtyFields.name && !locale) setValue('name', languageName(codeOf(typed)) ?? '');
  };
  const save = ({ code: typed, name: given, fallback }: Values) => {
    const code = locale?.code ?? codeOf(typed);
    setValue('code', code);
    if (!locale && locales.locales.some((each) => each.code.toLowerCase() === code.toLowerCase())) {
      return setError('code', { message: 'This language is there already.' }, { shouldFocus: true });
    }
    setProblem(undefined);
    mutate(withLocale(locales, { code, name: given.trim(), fallback: isDefault ? null : fallback || null }));
  };
  return (
    <Dialog title={locale ? `Edit ${locale.name}` : 'Add a language'} isOpen onClose={onClose}>
      <Form onSubmit={handleSubmit(save)}>
        <ProblemMessage error={problem} />
        {!locale && (
          <>
            <TextField
              label="Language"
              help="Its name, or a language tag such as de, fr-CA or zh-Hant."
              autoComplete="off"
              spellCheck={false}
              list={list}
              error={errors.code?.message}
              {...register('code', {
                validate: (typed) => typed.trim() !== '' || 'Choose a language, or enter a language tag.',
                onChange: ({ target }: { target: { value: string } }) => suggestName(target.value),
              })}
            />
            <datalist id={list}>
              {KNOWN_LANGUAGES.map(({ code, name: known }) => (
                <option key={code} value={known}>
                  {code}
                </option>
              ))}
            </datalist>
          </>
        )}
        <TextField
          label="Name"
          help="What the language is called here, and in your sites."
          autoComplete="off"
          error={errors.name?.message}
          {...register('name', { validate: (text) => text.trim() !== '' || 'Give the language a name.' })}
        />
        {!isDefault && (
          <Select
            label="Fallback"
            help="The language that readers see where a value is missing."
            error={errors.fallback?.message}
            {...register('fallback')}
          >
            {possibleFallbacks(locales, locale?.code ?? '').map(({ code, name: other }) => (
              <option key={code} value={code}>
                {other}
              </option>
            ))}
            <option value="">None: nothing is shown</option>
          </Select>
        )}
        <SubmitButtons action={locale ? 'Save language' : 'Add language'} isBusy={isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
