import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useLocation } from 'wouter';
import { createWebhook, type SavedWebhook, updateWebhook } from '../../../api/webhooks';
import { Button } from '../../../parts/button';
import { Dialog, DialogButtons } from '../../../parts/dialog';
import { SubmitButtons } from '../../../parts/submit-buttons';
import { Form } from '../../../parts/form';
import { ProblemMessage } from '../../../parts/problem-message';
import { say } from '../../../parts/status';
import { useTenant } from '../../../shell/tenant';
import { webhooksKey } from '../keys';
import { SecretNotice } from './secret-notice';
import { showWebhookProblem } from './show-webhook-problem';
import { WebhookFields } from './webhook-fields';
import { bodyOf, type FormValues, formValuesOf } from './webhook-values';

export function NewWebhook({ onClose }: { onClose: () => void }) {
  const tenant = useTenant();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [problem, setProblem] = useState<unknown>();
  const [created, setCreated] = useState<SavedWebhook>();
  const form = useForm<FormValues>({ defaultValues: formValuesOf() });
  const open = ({ id }: SavedWebhook) => navigate(`/webhooks/${id}`);
  const { mutate, isPending } = useMutation({
    mutationFn: async (values: FormValues) => {
      const webhook = await createWebhook(tenant.id, bodyOf(values, true));
      // The API makes every webhook active.
      if (!values.active) await updateWebhook(tenant.id, webhook.id, { active: false });
      return webhook;
    },
    onSuccess: (webhook) => {
      say('The webhook was made.');
      void client.invalidateQueries({ queryKey: webhooksKey(tenant.id) });
      if (webhook.secret === undefined) open(webhook);
      else setCreated(webhook);
    },
    onError: (error) => setProblem(showWebhookProblem(error, form.setError)),
  });
  if (created) {
    return (
      <Dialog title="The secret of the webhook" isOpen>
        <SecretNotice secret={created.secret ?? ''} />
        <DialogButtons>
          <Button onClick={() => open(created)}>I have kept it</Button>
        </DialogButtons>
      </Dialog>
    );
  }
  return (
    <Dialog title="New webhook" isOpen onClose={onClose}>
      <Form onSubmit={form.handleSubmit((values) => mutate(values))}>
        <ProblemMessage error={problem} />
        <WebhookFields form={form} isNew />
        <SubmitButtons action="Create webhook" isBusy={isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
