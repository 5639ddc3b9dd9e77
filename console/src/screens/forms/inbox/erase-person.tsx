import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { type Erasure, getErasure, requestErasure } from '../../../api/erasures';
import type { FormDetail } from '../../../api/forms';
import { Button } from '../../../parts/button';
import { Dialog, DialogButtons } from '../../../parts/dialog';
import { SubmitButtons } from '../../../parts/submit-buttons';
import { Form } from '../../../parts/form';
import { showProblem } from '../../../parts/form-problem';
import { countedAs } from '../../../parts/numbers';
import { ProblemMessage } from '../../../parts/problem-message';
import { TextField } from '../../../parts/fields/text-field';
import { useTenant } from '../../../shell/tenant';
import { submissionsKey } from '../keys';

/** Milliseconds between two questions whether it is done. */
const AGAIN = 1_000;

interface ErasePersonProps {
  form: FormDetail;
  onClose: () => void;
}

/** Deletes everything that came from an address, in all forms of the tenant. */
export function ErasePerson({ form, onClose }: ErasePersonProps) {
  const tenant = useTenant();
  const [problem, setProblem] = useState<unknown>();
  const { register, handleSubmit, formState, setError } = useForm({ defaultValues: { email: '' } });
  const erase = useMutation({
    mutationFn: (email: string) => requestErasure(tenant.id, email),
    onError: (error) => setProblem(showProblem(error, setError, { email: 'Email' })),
  });
  if (erase.data) return <ErasureProgress form={form} erasure={erase.data} onClose={onClose} />;
  return (
    <Dialog title="Erase a person" isOpen onClose={onClose}>
      <p>
        Every submission with this address in a field for addresses is deleted, in all forms of {tenant.name}, with its
        files, emails, and what webhooks keep of it. Free text is not searched. It cannot be undone.
      </p>
      <Form onSubmit={handleSubmit(({ email }) => erase.mutate(email.trim()))}>
        <ProblemMessage error={problem} />
        <TextField
          label="Email"
          type="email"
          autoComplete="off"
          spellCheck={false}
          error={formState.errors.email?.message}
          {...register('email', { required: 'Enter the address of the person.' })}
        />
        <SubmitButtons action="Erase" look="danger" isBusy={erase.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

interface ErasureProgressProps {
  form: FormDetail;
  erasure: Erasure;
  onClose: () => void;
}

function ErasureProgress({ form, erasure, onClose }: ErasureProgressProps) {
  const tenant = useTenant();
  const client = useQueryClient();
  const { data = erasure, error } = useQuery({
    queryKey: [tenant.id, 'erasure', erasure.id],
    queryFn: ({ signal }) => getErasure(tenant.id, erasure.id, signal),
    refetchInterval: ({ state }) => (state.data?.state === 'done' ? false : AGAIN),
  });
  const close = () => {
    void client.invalidateQueries({ queryKey: submissionsKey(tenant.id, form.id) });
    onClose();
  };
  return (
    <Dialog title="Erase a person" isOpen onClose={close}>
      <ProblemMessage error={error} />
      <p role="status">{data.state === 'done' ? `Done: ${countsOf(data)}` : 'It is being done. You can close this.'}</p>
      <DialogButtons>
        <Button onClick={close}>Close</Button>
      </DialogButtons>
    </Dialog>
  );
}

function countsOf({ submissions, files, mails, deliveries }: Erasure): string {
  const counts = [
    countedAs(submissions, 'submission'),
    countedAs(files, 'file'),
    countedAs(mails, 'email'),
    countedAs(deliveries, 'delivery', 'deliveries'),
  ];
  return `${counts.join(', ')} erased.`;
}
