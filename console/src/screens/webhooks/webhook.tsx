import { useQuery } from '@tanstack/react-query';
import { getWebhook, getWebhookStats } from '../../api/webhooks';
import { Loading } from '../../parts/loading';
import { Page } from '../../parts/page';
import { ProblemMessage } from '../../parts/problem-message';
import { Tabs } from '../../parts/tabs';
import { may } from '../../session/rights';
import { useTenant } from '../../shell/tenant';
import { Deliveries } from './deliveries/deliveries';
import { LiveEvents } from './events/live-events';
import { EditWebhook } from './form/edit-webhook';
import { webhookKey } from './keys';
import { WebhookActions } from './webhook-actions';
import { WebhookFacts } from './webhook-facts';

export default function WebhookPage({ id }: { id: string }) {
  const tenant = useTenant();
  const webhook = useQuery({
    queryKey: webhookKey(tenant.id, id),
    queryFn: ({ signal }) => getWebhook(tenant.id, id, signal),
  });
  const stats = useQuery({
    queryKey: [...webhookKey(tenant.id, id), 'stats'],
    queryFn: ({ signal }) => getWebhookStats(tenant.id, id, signal),
  });
  const { data } = webhook;
  if (!data) {
    return (
      <Page title="Webhook">
        <ProblemMessage error={webhook.error} onRetry={() => void webhook.refetch()} />
        {webhook.isPending && <Loading />}
      </Page>
    );
  }
  const deliveries = { id: 'deliveries', name: 'Deliveries', show: () => <Deliveries webhook={data} /> };
  const events = { id: 'events', name: 'Events', show: () => <LiveEvents types={data.events} /> };
  const settings = { id: 'settings', name: 'Settings', show: () => <EditWebhook key={data.id} webhook={data} /> };
  return (
    <Page
      title={data.description || new URL(data.url).host}
      about={data.url}
      actions={may(tenant, 'webhooks:write') && <WebhookActions webhook={data} />}
    >
      <WebhookFacts webhook={data} stats={stats.data} />
      <Tabs
        label="Webhook"
        tabs={[
          deliveries,
          ...(may(tenant, 'events:read') ? [events] : []),
          ...(may(tenant, 'webhooks:write') ? [settings] : []),
        ]}
      />
    </Page>
  );
}
