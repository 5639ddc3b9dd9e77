import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { deleteWebhook, testWebhook, type Webhook } from '../../api/webhooks';
import { Button } from '../../parts/button';
import { Confirm } from '../../parts/confirm';
import { ProblemMessage } from '../../parts/problem-message';
import { say } from '../../parts/status';
import { useTenant } from '../../shell/tenant';
import { deliveriesKey, webhooksKey } from './keys';
import { Replay } from './replay';

export function WebhookActions({ webhook }: { webhook: Webhook }) {
  const tenant = useTenant();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [open, setOpen] = useState<'replay' | 'delete'>();
  const test = useMutation({
    mutationFn: () => testWebhook(tenant.id, webhook.id),
    onSuccess: () => {
      say('A test event is on its way. Its delivery is in the list.');
      void client.invalidateQueries({ queryKey: deliveriesKey(tenant.id, webhook.id) });
    },
  });
  return (
    <>
      <Button isBusy={test.isPending} onClick={() => test.mutate()}>
        Send test
      </Button>
      <Button onClick={() => setOpen('replay')}>Replay</Button>
      <Button onClick={() => setOpen('delete')}>Delete</Button>
      <ProblemMessage error={test.error} />
      {open === 'replay' && <Replay webhook={webhook} onClose={() => setOpen(undefined)} />}
      {open === 'delete' && (
        <Confirm
          title={`Delete the webhook to ${webhook.url}?`}
          action="Delete webhook"
          onConfirm={() => deleteWebhook(tenant.id, webhook.id)}
          onDone={() => {
            say('The webhook was deleted.');
            void client.invalidateQueries({ queryKey: webhooksKey(tenant.id) });
            navigate('/webhooks');
          }}
          onClose={() => setOpen(undefined)}
        >
          It receives nothing more, and its deliveries are deleted, those too that are still to be sent. It cannot be
          undone.
        </Confirm>
      )}
    </>
  );
}
