import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { getWebhookStats, type Webhook } from '../../api/webhooks';
import { countInWords } from '../../parts/numbers';
import { useTenant } from '../../shell/tenant';
import { eventsInWords } from './events-in-words';
import { Health } from './health';
import { webhookKey } from './keys';
import styles from './webhook-row.module.css';

export function WebhookRow({ webhook }: { webhook: Webhook }) {
  const tenant = useTenant();
  const { id, url, description, events } = webhook;
  const { data: stats } = useQuery({
    queryKey: [...webhookKey(tenant.id, id), 'stats'],
    queryFn: ({ signal }) => getWebhookStats(tenant.id, id, signal),
  });
  return (
    <tr>
      <th scope="row">
        <div className={styles.what}>
          <Link href={`/webhooks/${id}`} className={styles.url} dir="ltr">
            {url}
          </Link>
          {description !== undefined && description !== '' && <span dir="auto">{description}</span>}
          <span className={styles.events}>{eventsInWords(events)}</span>
        </div>
      </th>
      <td className={styles.health}>
        <Health webhook={webhook} stats={stats} />
      </td>
      <td className={styles.counts}>
        {stats && `${countInWords(stats.delivered)} delivered, ${countInWords(stats.failed)} failed`}
      </td>
    </tr>
  );
}
