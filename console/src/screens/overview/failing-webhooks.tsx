import { useQuery } from '@tanstack/react-query';
import { listWebhooks, type Webhook } from '../../api/webhooks';
import { countInWords } from '../../parts/numbers';
import { When } from '../../parts/when';
import { useTenant } from '../../shell/tenant';
import { webhooksKey } from '../webhooks/keys';
import styles from './overview.module.css';
import { Item, Items, Nothing, Part } from './part';

/** Webhooks that are shown. */
const SHOWN = 5;

/** Webhooks that receive nothing: all attempts fail, or the service gave up. */
export function FailingWebhooks() {
  const tenant = useTenant();
  const query = useQuery({
    queryKey: webhooksKey(tenant.id),
    queryFn: ({ signal }) => listWebhooks(tenant.id, signal),
  });
  return (
    <Part title="Failing webhooks" query={query}>
      {(webhooks) => <Failing webhooks={webhooks} />}
    </Part>
  );
}

function Failing({ webhooks }: { webhooks: readonly Webhook[] }) {
  const failing = webhooks.filter(isFailing);
  if (webhooks.length === 0) {
    return (
      <Nothing href="/webhooks" next="Open webhooks">
        There is no webhook yet. A webhook tells another service what happens here.
      </Nothing>
    );
  }
  if (failing.length === 0) {
    return (
      <Nothing href="/webhooks" next="See all webhooks">
        No webhook fails.
      </Nothing>
    );
  }
  return (
    <>
      <Items>
        {failing.slice(0, SHOWN).map((webhook) => (
          <Item
            key={webhook.id}
            href={`/webhooks/${webhook.id}`}
            title={webhook.description || webhook.url}
            about={<Why webhook={webhook} />}
          />
        ))}
      </Items>
      {failing.length > SHOWN && <p className={styles.rest}>and {countInWords(failing.length - SHOWN)} more</p>}
    </>
  );
}

function isFailing({ active, failing_since: since, disabled_reason: reason }: Webhook): boolean {
  return active ? Boolean(since) : Boolean(reason);
}

function Why({ webhook: { disabled_reason: reason, failing_since: since } }: { webhook: Webhook }) {
  if (reason === 'gone') return <span className={styles.failed}>Made inactive: its receiver is gone.</span>;
  if (reason === 'failing')
    return <span className={styles.failed}>Made inactive: everything failed for five days.</span>;
  return <span className={styles.failed}>Failing since {since && <When time={since} />}</span>;
}
