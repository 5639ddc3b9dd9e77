import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { type SavedWebhook, updateWebhook, type Webhook } from '../../../api/webhooks';
import { Button } from '../../../parts/button';
import { Form } from '../../../parts/form';
import { ProblemMessage } from '../../../parts/problem-message';
import { say } from '../../../parts/status';
import { useTenant } from '../../../shell/tenant';
import { webhookKey, webhooksKey } from '../keys';
import { SecretNotice } from './secret-notice';
import { showWebhookProblem } from './show-webhook-problem';
import { WebhookFields } from './webhook-fields';
import { bodyOf, type FormValues, formValuesOf } from './webhook-values';

export function EditWebhook({ webhook }: { webhook: Webhook }) {
  const tenant = useTenant();
  const client = useQueryClient();
  const [problem, setProblem] = useState<unknown>();
  const [secret, setSecret] = useState<string>();
  const form = useForm<FormValues>({ defaultValues: formValuesOf(webhook) });
  const { mutate, isPending } = useMutation({
    mutationFn: (values: FormValues) =>
      updateWebhook(tenant.id, webhook.id, {
        ...bodyOf(values, false),
        // What is sent as true also forgets failures.
        ...(values.active !== webhook.active && { active: values.active }),
      }),
    onSuccess: (saved: SavedWebhook) => {
      say('The webhook was saved.');
      setProblem(undefined);
      setSecret(saved.secret);
      form.reset(formValuesOf(saved));
      void client.invalidateQueries({ queryKey: webhookKey(tenant.id, webhook.id) });
      void client.invalidateQueries({ queryKey: webhooksKey(tenant.id) });
    },
    onError: (error) => setProblem(showWebhookProblem(error, form.setError)),
  });
  return (
    <>
      {secret !== undefined && <SecretNotice secret={secret} />}
      <Form onSubmit={form.handleSubmit((values) => mutate(values))}>
        <ProblemMessage error={problem} />
        <WebhookFields form={form} isNew={false} />
        {webhook.public_key !== undefined && (
          <p>
            Public key: <code>{webhook.public_key}</code>
          </p>
        )}
        <div>
          <Button type="submit" look="primary" isBusy={isPending}>
            Save webhook
          </Button>
        </div>
      </Form>
    </>
  );
}
