import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { type Range, replayEvents, type Webhook } from '../../api/webhooks';
import { Button } from '../../parts/button';
import { Dialog, DialogButtons } from '../../parts/dialog';
import { Form } from '../../parts/form';
import { showProblem } from '../../parts/form-problem';
import { countedAs } from '../../parts/numbers';
import { ProblemMessage } from '../../parts/problem-message';
import { say } from '../../parts/status';
import { TextField } from '../../parts/fields/text-field';
import { useTenant } from '../../shell/tenant';
import { deliveriesKey } from './keys';

interface ReplayProps {
  webhook: Webhook;
  onClose: () => void;
}

/** A range, and how many events it has. */
interface Counted {
  readonly range: Range;
  readonly count: number;
}

/** Sends the events of a time again. They are counted first, and the button says how many they are. */
export function Replay({ webhook, onClose }: ReplayProps) {
  const tenant = useTenant();
  const client = useQueryClient();
  const [problem, setProblem] = useState<unknown>();
  const [counted, setCounted] = useState<Counted>();
  const { register, handleSubmit, formState, setError } = useForm({ defaultValues: { from: '', to: '' } });
  const onError = (error: unknown) => setProblem(showProblem(error, setError, { from: 'From', to: 'Until' }));
  const count = useMutation({
    mutationFn: async (range: Range) => ({ range, count: await replayEvents(tenant.id, webhook.id, range, true) }),
    onSuccess: setCounted,
    onError,
  });
  const replay = useMutation({
    mutationFn: ({ range }: Counted) => replayEvents(tenant.id, webhook.id, range, false),
    onSuccess: (sent) => {
      say(`${countedAs(sent, 'event')} will be sent again.`);
      void client.invalidateQueries({ queryKey: deliveriesKey(tenant.id, webhook.id) });
      onClose();
    },
    onError,
  });
  const changed = { onChange: () => setCounted(undefined) };
  const { errors } = formState;
  return (
    <Dialog title="Replay events" isOpen onClose={onClose}>
      <p>
        The events of a time are sent again, each with the ID that it had. Receivers that know the ID can ignore it.
      </p>
      <Form
        onSubmit={handleSubmit((values) => {
          setProblem(undefined);
          count.mutate(rangeOf(values));
        })}
      >
        <ProblemMessage error={problem} />
        <TextField
          label="From"
          type="datetime-local"
          error={errors.from?.message}
          {...register('from', { required: 'Say when the first of the events happened.', ...changed })}
        />
        <TextField
          label="Until"
          type="datetime-local"
          help="Without it, up to now."
          error={errors.to?.message}
          {...register('to', changed)}
        />
        {counted?.count === 0 && <p role="status">No event of this time is for this webhook.</p>}
        <DialogButtons>
          {counted && counted.count > 0 ? (
            <Button look="primary" isBusy={replay.isPending} onClick={() => replay.mutate(counted)}>
              Replay {countedAs(counted.count, 'event')}
            </Button>
          ) : (
            <Button type="submit" look="primary" isBusy={count.isPending}>
              Count
            </Button>
          )}
          <Button onClick={onClose}>Cancel</Button>
        </DialogButtons>
      </Form>
    </Dialog>
  );
}

/** What the person chose is in the zone of the browser. */
function rangeOf({ from, to }: { from: string; to: string }): Range {
  return { from: new Date(from).toISOString(), ...(to && { to: new Date(to).toISOString() }) };
}
