import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useLocation } from 'wouter';
import { signIn, type Session } from '../../api/sessions';
import { Button } from '../../parts/button';
import { Form } from '../../parts/form';
import { ProblemMessage } from '../../parts/problem-message';
import { TextField } from '../../parts/fields/text-field';

interface Values {
  email: string;
  password: string;
}

interface PasswordFormProps {
  onSignedIn: (session: Session) => void;
  /** Somebody who signs in again, and stays on the page. */
  email?: string;
}

export function PasswordForm({ onSignedIn, email }: PasswordFormProps) {
  const [, navigate] = useLocation();
  const { register, handleSubmit, formState, resetField, setFocus } = useForm<Values>({
    defaultValues: { email: email ?? '', password: '' },
  });
  const { mutate, error, isPending } = useMutation({
    mutationFn: signIn,
    onSuccess: onSignedIn,
    onError: () => {
      resetField('password');
      setFocus('password');
    },
    gcTime: 0,
  });
  const { errors } = formState;
  return (
    <Form onSubmit={handleSubmit((values) => mutate(values))}>
      <ProblemMessage error={error} />
      <TextField
        label="Email"
        type="email"
        autoComplete="username"
        spellCheck={false}
        readOnly={email !== undefined}
        error={errors.email?.message}
        {...register('email', { required: 'Enter your email address.' })}
      />
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        error={errors.password?.message}
        {...register('password', { required: 'Enter your password.' })}
      />
      <Button type="submit" look="primary" isWide isBusy={isPending}>
        Sign in
      </Button>
      {email === undefined && (
        <Button look="quiet" isWide onClick={() => navigate('/forgot-password')}>
          Forgot password
        </Button>
      )}
    </Form>
  );
}
