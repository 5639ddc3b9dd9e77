import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { redeliverFailed } from '../../../api/deliveries';
import type { Webhook } from '../../../api/webhooks';
import { Button } from '../../../parts/button';
import { Dialog } from '../../../parts/dialog';
import { SubmitButtons } from '../../../parts/submit-buttons';
import { Form } from '../../../parts/form';
import { showProblem } from '../../../parts/form-problem';
import { countedAs } from '../../../parts/numbers';
import { ProblemMessage } from '../../../parts/problem-message';
import { say } from '../../../parts/status';
import { TextField } from '../../../parts/fields/text-field';
import { useTenant } from '../../../shell/tenant';
import { deliveriesKey } from '../keys';

/** A button, and the dialog that it opens. */
export function RedeliverFailed({ webhook }: { webhook: Webhook }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Redeliver what failed</Button>
      {isOpen && <RedeliverDialog webhook={webhook} onClose={() => setOpen(false)} />}
    </>
  );
}

function RedeliverDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const tenant = useTenant();
  const client = useQueryClient();
  const [problem, setProblem] = useState<unknown>();
  const { register, handleSubmit, formState, setError } = useForm({ defaultValues: { since: '' } });
  const { mutate, isPending } = useMutation({
    mutationFn: (since: string) => redeliverFailed(tenant.id, webhook.id, since),
    onSuccess: (count) => {
      say(count === 0 ? 'Nothing failed since then.' : `${countedAs(count, 'delivery', 'deliveries')} are sent again.`);
      void client.invalidateQueries({ queryKey: deliveriesKey(tenant.id, webhook.id) });
      onClose();
    },
    onError: (error) => setProblem(showProblem(error, setError, { since: 'Since' })),
  });
  return (
    <Dialog title="Redeliver what failed" isOpen onClose={onClose}>
      <p>Deliveries that failed or were canceled since this time are sent again.</p>
      <Form onSubmit={handleSubmit(({ since }) => mutate(new Date(since).toISOString()))}>
        <ProblemMessage error={problem} />
        <TextField
          label="Since"
          type="datetime-local"
          error={formState.errors.since?.message}
          {...register('since', { required: 'Say from when on.' })}
        />
        <SubmitButtons action="Redeliver" isBusy={isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
