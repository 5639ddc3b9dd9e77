import { Button } from '../../parts/button';
import { Page } from '../../parts/page';
import { Tabs } from '../../parts/tabs';
import { may } from '../../session/rights';
import { useTenant } from '../../shell/tenant';
import { useOpen } from '../../shell/use-open';
import { LiveEvents } from './events/live-events';
import { NewWebhook } from './form/new-webhook';
import { WebhookList } from './webhook-list';

export default function Webhooks() {
  const tenant = useTenant();
  const [isCreating, setCreating] = useOpen('new');
  const create = may(tenant, 'webhooks:write') && (
    <Button look="primary" onClick={() => setCreating(true)}>
      New webhook
    </Button>
  );
  const list = { id: 'webhooks', name: 'Webhooks', show: () => <WebhookList create={create} /> };
  const events = { id: 'events', name: 'Events', show: () => <LiveEvents /> };
  return (
    <Page
      title="Webhooks"
      about={`A webhook tells another service what happens in ${tenant.name}: each event is sent to its URL, and tried again for days.`}
      actions={create}
    >
      <Tabs label="Webhooks" tabs={may(tenant, 'events:read') ? [list, events] : [list]} />
      {isCreating && create && <NewWebhook onClose={() => setCreating(false)} />}
    </Page>
  );
}
