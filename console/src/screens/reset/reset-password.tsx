import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useLocation } from 'wouter';
import { resetPassword } from '../../api/sessions';
import { Button } from '../../parts/button';
import { Form } from '../../parts/form';
import { showProblem } from '../../parts/form-problem';
import { CardPage } from '../../parts/card-page';
import { PASSWORD_HELP } from '../../parts/password-help';
import { ProblemMessage } from '../../parts/problem-message';
import { say } from '../../parts/status';
import { TextField } from '../../parts/fields/text-field';
import { forgetFragment, useToken } from '../../session/fragment';
import { useBeginSession } from '../../session/session';

/** `/console/reset#tvr_…`: chooses a new password, and signs in. */
export default function ResetPassword() {
  const token = useToken('reset');
  return (
    <CardPage title="Choose a new password">
      {token === undefined ? <NoToken /> : <PasswordForm key={token} token={token} />}
    </CardPage>
  );
}

function PasswordForm({ token }: { token: string }) {
  const begin = useBeginSession();
  const [, navigate] = useLocation();
  const [problem, setProblem] = useState<unknown>();
  const { register, handleSubmit, formState, setError } = useForm({ defaultValues: { password: '' } });
  const { mutate, isPending } = useMutation({
    mutationFn: (password: string) => resetPassword(token, password),
    onSuccess: (session) => {
      forgetFragment();
      begin(session);
      say('Your password was changed. You were signed out everywhere else.');
      navigate('/', { replace: true });
    },
    onError: (error) => setProblem(showProblem(error, setError, { password: 'Password' })),
    gcTime: 0,
  });
  return (
    <Form onSubmit={handleSubmit(({ password }) => mutate(password))}>
      <ProblemMessage error={problem} />
      <TextField
        label="Password"
        type="password"
        autoComplete="new-password"
        help={PASSWORD_HELP}
        error={formState.errors.password?.message}
        {...register('password', { required: 'Choose a password.' })}
      />
      <Button type="submit" look="primary" isWide isBusy={isPending}>
        Save and sign in
      </Button>
    </Form>
  );
}

function NoToken() {
  const [, navigate] = useLocation();
  return (
    <>
      <p>This address needs the whole link of the email. Open it again, or ask for another one.</p>
      <Button look="primary" isWide onClick={() => navigate('/forgot-password')}>
        Send another link
      </Button>
    </>
  );
}
