import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { signIn, type Session } from '../../api/sessions';
import { Button } from '../../parts/button';
import { Form } from '../../parts/form';
import { ProblemMessage } from '../../parts/problem-message';
import { TextField } from '../../parts/fields/text-field';

/** The key is exchanged for a session, and forgotten. */
export function KeyForm({ onSignedIn }: { onSignedIn: (session: Session) => void }) {
  const { register, handleSubmit, formState, reset, setFocus } = useForm({ defaultValues: { key: '' } });
  const { mutate, error, isPending } = useMutation({
    mutationFn: signIn,
    onSuccess: onSignedIn,
    onError: () => setFocus('key'),
    onSettled: () => reset(),
    gcTime: 0,
  });
  return (
    <Form onSubmit={handleSubmit(({ key }) => mutate({ key: key.trim() }))}>
      <ProblemMessage error={error} />
      <TextField
        label="API key"
        type="password"
        autoComplete="off"
        spellCheck={false}
        help="You can then do what the key may do. The page does not keep the key."
        error={formState.errors.key?.message}
        {...register('key', { required: 'Paste an API key.' })}
      />
      <Button type="submit" look="primary" isWide isBusy={isPending}>
        Sign in
      </Button>
    </Form>
  );
}
