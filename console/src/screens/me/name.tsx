import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Button } from '../../parts/button';
import { Form } from '../../parts/form';
import { showProblem } from '../../parts/form-problem';
import { Section } from '../../parts/page';
import { ProblemMessage } from '../../parts/problem-message';
import { say } from '../../parts/status';
import { TextField } from '../../parts/fields/text-field';
import { useMyChanges } from '../../session/my-changes';

export function Name({ name }: { name: string }) {
  const [problem, setProblem] = useState<unknown>();
  const { register, handleSubmit, formState, setError } = useForm({ defaultValues: { name } });
  const { mutate, isPending } = useMyChanges({
    onSuccess: () => say('Your name was saved.'),
    onError: (error) => setProblem(showProblem(error, setError, { name: 'Name' })),
  });
  return (
    <Section title="Name" about="Others see it in the history of what you change.">
      <Form onSubmit={handleSubmit((values) => mutate({ name: values.name.trim() }))}>
        <ProblemMessage error={problem} />
        <TextField
          label="Name"
          autoComplete="name"
          error={formState.errors.name?.message}
          {...register('name', { required: 'Enter your name.' })}
        />
        <div>
          <Button type="submit" isBusy={isPending}>
            Save name
          </Button>
        </div>
      </Form>
    </Section>
  );
}
