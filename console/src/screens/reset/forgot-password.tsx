import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useLocation } from 'wouter';
import { requestReset } from '../../api/sessions';
import { Button } from '../../parts/button';
import { Form } from '../../parts/form';
import { CardPage } from '../../parts/card-page';
import { ProblemMessage } from '../../parts/problem-message';
import { TextField } from '../../parts/fields/text-field';

export default function ForgotPassword() {
  const [, navigate] = useLocation();
  const { register, handleSubmit, formState } = useForm({ defaultValues: { email: '' } });
  const { mutate, error, isPending, isSuccess, variables } = useMutation({ mutationFn: requestReset });
  const back = (
    <Button look="quiet" isWide onClick={() => navigate('/sign-in')}>
      Back to signing in
    </Button>
  );
  if (isSuccess) {
    return (
      <CardPage title="Look into your inbox">
        <p role="status">
          If <strong>{variables}</strong> belongs to somebody, an email with a link is on its way. The link is good for
          an hour.
        </p>
        {back}
      </CardPage>
    );
  }
  return (
    <CardPage title="Forgot your password?">
      <p>We send you a link, with which you choose a new one.</p>
      <Form onSubmit={handleSubmit(({ email }) => mutate(email.trim()))}>
        <ProblemMessage error={error} />
        <TextField
          label="Email"
          type="email"
          autoComplete="username"
          spellCheck={false}
          error={formState.errors.email?.message}
          {...register('email', { required: 'Enter your email address.' })}
        />
        <Button type="submit" look="primary" isWide isBusy={isPending}>
          Send link
        </Button>
        {back}
      </Form>
    </CardPage>
  );
}
