import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Button } from '../../parts/button';
import { Form } from '../../parts/form';
import { showProblem } from '../../parts/form-problem';
import { Section } from '../../parts/page';
import { PASSWORD_HELP } from '../../parts/password-help';
import { ProblemMessage } from '../../parts/problem-message';
import { say } from '../../parts/status';
import { TextField } from '../../parts/fields/text-field';
import { useMyChanges } from '../../session/my-changes';

const LABELS = { current_password: 'Current password', password: 'New password' };

export function Password({ email }: { email: string }) {
  const client = useQueryClient();
  const [problem, setProblem] = useState<unknown>();
  const { register, handleSubmit, formState, setError, reset } = useForm({
    defaultValues: { current_password: '', password: '' },
  });
  const { mutate, isPending } = useMyChanges({
    onSuccess: () => {
      reset();
      setProblem(undefined);
      say('Your password was changed. You were signed out everywhere else.');
      void client.invalidateQueries({ queryKey: ['me', 'sessions'] });
    },
    onError: (error) => setProblem(showProblem(error, setError, LABELS)),
  });
  const { errors } = formState;
  return (
    <Section title="Password" about="A new password signs you out everywhere else.">
      <Form
        onSubmit={handleSubmit(({ password, current_password: current }) =>
          mutate({ password, ...(current && { current_password: current }) }),
        )}
      >
        <ProblemMessage error={problem} />
        {/* For password managers. */}
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        <TextField
          label={LABELS.current_password}
          type="password"
          autoComplete="current-password"
          help="Leave it empty if you have none yet."
          error={errors.current_password?.message}
          {...register('current_password')}
        />
        <TextField
          label={LABELS.password}
          type="password"
          autoComplete="new-password"
          help={PASSWORD_HELP}
          error={errors.password?.message}
          {...register('password', { required: 'Choose a password.' })}
        />
        <div>
          <Button type="submit" isBusy={isPending}>
            Change password
          </Button>
        </div>
      </Form>
    </Section>
  );
}
