import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { inviteMember } from '../../api/members';
import type { Role } from '../../api/roles';
import { Dialog } from '../../parts/dialog';
import { SubmitButtons } from '../../parts/submit-buttons';
import { Form } from '../../parts/form';
import { showProblem } from '../../parts/form-problem';
import { ProblemMessage } from '../../parts/problem-message';
import { Select } from '../../parts/fields/select';
import { say } from '../../parts/status';
import { TextField } from '../../parts/fields/text-field';
import { useTenant } from '../../shell/tenant';
import { rolesToGive } from './given-roles';
import { membersKey } from './keys';
import { summaryOf } from './scope-words';
import { useNarrowingTypes } from './use-narrowing-types';

interface InviteProps {
  roles: readonly Role[];
  onClose: () => void;
}

export function Invite({ roles, onClose }: InviteProps) {
  const tenant = useTenant();
  const client = useQueryClient();
  const [problem, setProblem] = useState<unknown>();
  const { nameOf } = useNarrowingTypes();
  const given = rolesToGive(roles, tenant);
  // The least that is useful, so that more is a decision.
  const role = given.find(({ name }) => name === 'editor')?.name ?? given[0]?.name ?? '';
  const { register, handleSubmit, formState, setError, control } = useForm({ defaultValues: { email: '', role } });
  const { mutate, isPending } = useMutation({
    mutationFn: (values: { email: string; role: string }) => inviteMember(tenant.id, values),
    onSuccess: ({ email }) => {
      say(`An invitation was sent to ${email}.`);
      void client.invalidateQueries({ queryKey: membersKey(tenant.id) });
      onClose();
    },
    onError: (error) => setProblem(showProblem(error, setError, { email: 'Email', role: 'Role' })),
  });
  const { errors } = formState;
  const chosenName = useWatch({ control, name: 'role' });
  const chosen = given.find(({ name }) => name === chosenName);
  return (
    <Dialog title={`Invite somebody to ${tenant.name}`} isOpen onClose={onClose}>
      <Form onSubmit={handleSubmit((values) => mutate({ ...values, email: values.email.trim() }))}>
        <ProblemMessage error={problem} />
        <TextField
          label="Email"
          type="email"
          autoComplete="off"
          spellCheck={false}
          error={errors.email?.message}
          {...register('email', { required: 'Enter an email address.' })}
        />
        <Select
          label="Role"
          help={chosen && summaryOf(chosen.scopes, nameOf)}
          error={errors.role?.message}
          {...register('role', { required: 'Choose a role.' })}
        >
          {given.map(({ id, name }) => (
            <option key={id} value={name}>
              {name}
            </option>
          ))}
        </Select>
        <SubmitButtons action="Send invitation" isBusy={isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
