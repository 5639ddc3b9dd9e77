import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { acceptInvitation, invitationPasskey, type Acceptance, type Invitation } from '../../api/invitations';
import { signInMethods, type Session } from '../../api/sessions';
import { Button } from '../../parts/button';
import { Form } from '../../parts/form';
import { showProblem } from '../../parts/form-problem';
import { PASSWORD_HELP } from '../../parts/password-help';
import { ProblemMessage } from '../../parts/problem-message';
import { TextField } from '../../parts/fields/text-field';
import { hasPasskeys, makePasskey } from '../../session/passkeys';

export interface AcceptProps {
  token: string;
  invitation: Invitation;
  onAccepted: (session: Session) => void;
}

/** For an address that belongs to nobody yet: a name, and a way to sign in. */
export function NewAccount({ token, invitation, onAccepted }: AcceptProps) {
  const [problem, setProblem] = useState<unknown>();
  const { register, handleSubmit, formState, setError, getValues, trigger } = useForm({
    defaultValues: { name: invitation.name ?? '', password: '' },
  });
  const { data: methods } = useQuery({ queryKey: ['methods'], queryFn: signInMethods, staleTime: Infinity });
  const { mutate, isPending } = useMutation({
    mutationFn: async (chosen: { password: string } | 'passkey') => {
      const name = getValues('name').trim();
      return acceptInvitation(token, chosen === 'passkey' ? await withPasskey(token, name) : { name, ...chosen });
    },
    onSuccess: onAccepted,
    onError: (error) => setProblem(showProblem(error, setError, { name: 'Name', password: 'Password' })),
    gcTime: 0,
  });
  const acceptWithPasskey = async () => {
    if (await trigger('name', { shouldFocus: true })) mutate('passkey');
  };
  const { errors } = formState;
  return (
    <Form onSubmit={handleSubmit(({ password }) => mutate({ password }))}>
      <p>
        You were invited as <strong>{invitation.email}</strong>.
      </p>
      <ProblemMessage error={problem} />
      {/* For password managers. */}
      <input type="hidden" autoComplete="username" value={invitation.email} readOnly />
      <TextField
        label="Name"
        autoComplete="name"
        error={errors.name?.message}
        {...register('name', { required: 'Enter your name.' })}
      />
      <TextField
        label="Password"
        type="password"
        autoComplete="new-password"
        help={PASSWORD_HELP}
        error={errors.password?.message}
        {...register('password', { required: 'Choose a password.' })}
      />
      <Button type="submit" look="primary" isWide isBusy={isPending}>
        Accept invitation
      </Button>
      {methods?.passkeys && hasPasskeys() && (
        <Button isWide isBusy={isPending} onClick={() => void acceptWithPasskey()}>
          Use a passkey instead
        </Button>
      )}
    </Form>
  );
}

async function withPasskey(token: string, name: string): Promise<Acceptance> {
  return { name, passkey: await makePasskey(await invitationPasskey(token)) };
}
