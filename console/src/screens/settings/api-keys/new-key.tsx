import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { createKey, type CreatedKey, type KeyValues } from '../../../api/keys';
import { Dialog } from '../../../parts/dialog';
import { SubmitButtons } from '../../../parts/submit-buttons';
import { Form } from '../../../parts/form';
import { showProblem } from '../../../parts/form-problem';
import { ProblemMessage } from '../../../parts/problem-message';
import { Select } from '../../../parts/fields/select';
import { TextField } from '../../../parts/fields/text-field';
import { covers } from '../../../session/rights';
import { useTenant } from '../../../shell/tenant';
import { LanguagesField, localesOf } from '../languages-field';
import { keysKey } from '../keys';
import { RightsChoice } from '../rights-choice';
import { EXPIRIES, PRESETS, presetOf } from './presets';

interface NewKeyProps {
  onClose: () => void;
  onCreated: (created: CreatedKey) => void;
}

export function NewKey({ onClose, onCreated }: NewKeyProps) {
  const tenant = useTenant();
  const client = useQueryClient();
  const [problem, setProblem] = useState<unknown>();
  const presets = PRESETS.filter(({ scopes }) => scopes.every((scope) => covers(tenant.scopes, scope)));
  const { register, handleSubmit, formState, setError, control, setValue } = useForm({
    defaultValues: {
      name: '',
      preset: presets[0]?.name ?? '',
      scopes: [...(presets[0]?.scopes ?? [])],
      locales: '',
      expires: '',
    },
  });
  register('scopes', { validate: (scopes) => scopes.length > 0 || 'Choose at least one right.' });
  const { mutate, isPending } = useMutation({
    mutationFn: (values: KeyValues) => createKey(tenant.id, values),
    onSuccess: (created) => {
      void client.invalidateQueries({ queryKey: keysKey(tenant.id) });
      onClose();
      onCreated(created);
    },
    onError: (error) =>
      setProblem(
        showProblem(error, setError, { name: 'Name', scopes: 'Rights', locales: 'Languages', expires: 'Expires' }),
      ),
  });
  const [preset, scopes] = useWatch({ control, name: ['preset', 'scopes'] });
  const { errors } = formState;
  return (
    <Dialog title="New key" isOpen isWide={preset === ''} onClose={onClose}>
      <Form
        onSubmit={handleSubmit(({ name, expires, scopes: chosen, preset: from, locales }) =>
          mutate({
            name: name.trim(),
            scopes: chosen,
            locales: from === '' ? localesOf(locales) : null,
            ...(expires && { expires_in: Number(expires) }),
          }),
        )}
      >
        <ProblemMessage error={problem} />
        <TextField
          label="Name"
          help="What it is for, for example “Website”. Histories show it."
          autoComplete="off"
          error={errors.name?.message}
          {...register('name', { required: 'Give the key a name.' })}
        />
        <Select
          label="Rights"
          {...register('preset', {
            onChange: ({ target }: { target: HTMLSelectElement }) =>
              setValue('scopes', [...(presetOf(target.value)?.scopes ?? scopes)]),
          })}
        >
          {presets.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
          <option value="">Chosen rights</option>
        </Select>
        {preset === '' && (
          <>
            <RightsChoice
              chosen={scopes}
              onChoose={(chosen) => setValue('scopes', chosen, { shouldValidate: formState.isSubmitted })}
              error={errors.scopes?.message}
            />
            <LanguagesField error={errors.locales?.message} {...register('locales')} />
          </>
        )}
        <Select label="Expires" {...register('expires')}>
          {EXPIRIES.map(({ words, seconds }) => (
            <option key={words} value={seconds ?? ''}>
              {words}
            </option>
          ))}
        </Select>
        <SubmitButtons action="Create key" isBusy={isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
