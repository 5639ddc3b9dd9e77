import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useLocation } from 'wouter';
import { createForm, type FormField } from '../../api/forms';
import { Dialog } from '../../parts/dialog';
import { SubmitButtons } from '../../parts/submit-buttons';
import { Form } from '../../parts/form';
import { showProblem } from '../../parts/form-problem';
import { ProblemMessage } from '../../parts/problem-message';
import { say } from '../../parts/status';
import { TextField } from '../../parts/fields/text-field';
import { useTenant } from '../../shell/tenant';
import { formsKey } from './keys';

/** What most forms begin with. It can be changed at once. */
const FIRST_FIELDS: readonly FormField[] = [
  { name: 'name', type: 'text', label: 'Name' },
  { name: 'email', type: 'email', label: 'Email', required: true },
  { name: 'message', type: 'textarea', label: 'Message', required: true },
];

export function NewForm({ onClose }: { onClose: () => void }) {
  const tenant = useTenant();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [problem, setProblem] = useState<unknown>();
  const { register, handleSubmit, formState, setError } = useForm({ defaultValues: { name: '' } });
  const { mutate, isPending } = useMutation({
    mutationFn: (name: string) => createForm(tenant.id, { name, fields: FIRST_FIELDS }),
    onSuccess: ({ name, slug }) => {
      say(`The form ${name} was made.`);
      void client.invalidateQueries({ queryKey: formsKey(tenant.id) });
      navigate(`/forms/${slug}?tab=fields`);
    },
    onError: (error) => setProblem(showProblem(error, setError, { name: 'Name' })),
  });
  return (
    <Dialog title="New form" isOpen onClose={onClose}>
      <Form onSubmit={handleSubmit(({ name }) => mutate(name.trim()))}>
        <ProblemMessage error={problem} />
        <TextField
          label="Name"
          help="It begins with a name, an email address and a message. You can change that next."
          autoComplete="off"
          error={formState.errors.name?.message}
          {...register('name', { required: 'Give the form a name.' })}
        />
        <SubmitButtons action="Create form" isBusy={isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
