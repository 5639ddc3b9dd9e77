import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { createRole, type Role, type RoleValues, updateRole } from '../../api/roles';
import { Dialog } from '../../parts/dialog';
import { SubmitButtons } from '../../parts/submit-buttons';
import { Form } from '../../parts/form';
import { showProblem } from '../../parts/form-problem';
import { ProblemMessage } from '../../parts/problem-message';
import { say } from '../../parts/status';
import { TextField } from '../../parts/fields/text-field';
import { useTenant } from '../../shell/tenant';
import { LanguagesField, localesOf } from './languages-field';
import { rolesKey } from './keys';
import { RightsChoice } from './rights-choice';

interface RoleFormProps {
  /** The role to change. Without it, a new one. */
  role?: Role;
  onClose: () => void;
}

export function RoleForm({ role, onClose }: RoleFormProps) {
  const tenant = useTenant();
  const client = useQueryClient();
  const [problem, setProblem] = useState<unknown>();
  const { register, handleSubmit, formState, setError, control, setValue } = useForm<{
    name: string;
    scopes: string[];
    locales: string;
  }>({
    defaultValues: {
      name: role?.name ?? '',
      scopes: [...(role?.scopes ?? [])],
      locales: role?.locales?.join(', ') ?? '',
    },
  });
  register('scopes', { validate: (scopes) => scopes.length > 0 || 'Choose at least one right.' });
  const { mutate, isPending } = useMutation({
    mutationFn: (values: RoleValues) => (role ? updateRole(tenant.id, role.id, values) : createRole(tenant.id, values)),
    onSuccess: (_, { name }) => {
      say(role ? `The role ${name} was saved.` : `The role ${name} was made.`);
      void client.invalidateQueries({ queryKey: rolesKey(tenant.id) });
      onClose();
    },
    onError: (error) =>
      setProblem(showProblem(error, setError, { name: 'Name', scopes: 'Rights', locales: 'Languages' })),
  });
  const chosen = useWatch({ control, name: 'scopes' });
  const { errors } = formState;
  return (
    <Dialog title={role ? `Edit ${role.name}` : 'New role'} isOpen isWide onClose={onClose}>
      <Form
        onSubmit={handleSubmit(({ name, scopes, locales }) =>
          mutate({ name: name.trim(), scopes, locales: localesOf(locales) }),
        )}
      >
        <ProblemMessage error={problem} />
        <TextField
          label="Name"
          autoComplete="off"
          error={errors.name?.message}
          {...register('name', { required: 'Give the role a name.' })}
        />
        <RightsChoice
          chosen={chosen}
          onChoose={(scopes) => setValue('scopes', scopes, { shouldValidate: formState.isSubmitted })}
          error={errors.scopes?.message}
        />
        <LanguagesField error={errors.locales?.message} {...register('locales')} />
        <SubmitButtons action={role ? 'Save role' : 'Create role'} isBusy={isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
