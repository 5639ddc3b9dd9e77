import { useState } from 'react';
import { useForm } from 'react-hook-form';
import type { Locales } from '../../../../api/locales';
import { Dialog } from '../../../../parts/dialog';
import { SubmitButtons } from '../../../../parts/submit-buttons';
import { Form } from '../../../../parts/form';
import { TextField } from '../../../../parts/fields/text-field';
import { PurgeLanguage } from './purge-language';
import { type RemovedLanguage, removedLanguage } from './removed-language';
import type { BegunPurge } from './use-purges';

interface ChooseRemovedProps {
  locales: Locales;
  onBegun: (purge: BegunPurge) => void;
  onClose: () => void;
}

/** Asks for a language that was removed some time ago, which no list has any more. */
export function ChooseRemoved({ locales, onBegun, onClose }: ChooseRemovedProps) {
  const [language, setLanguage] = useState<RemovedLanguage>();
  const { register, handleSubmit, formState, setError } = useForm({ defaultValues: { code: '' } });
  if (language) return <PurgeLanguage language={language} onBegun={onBegun} onClose={onClose} />;
  const go = ({ code }: { code: string }) => {
    const found = removedLanguage(code, locales);
    if (typeof found === 'string') setError('code', { message: found }, { shouldFocus: true });
    else setLanguage(found);
  };
  return (
    <Dialog title="Delete the values of a removed language" isOpen onClose={onClose}>
      <p>The next step says what is deleted, and asks again.</p>
      <Form onSubmit={handleSubmit(go)}>
        <TextField
          label="Language"
          help="Its name, or the language tag that it had, such as de, fr-CA or zh-Hant."
          autoComplete="off"
          spellCheck={false}
          error={formState.errors.code?.message}
          {...register('code')}
        />
        <SubmitButtons action="Continue" onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
