import type { Webhook, WebhookStats } from '../../api/webhooks';
import { Badge } from '../../parts/badge';
import { When } from '../../parts/when';
import styles from './health.module.css';

interface HealthProps {
  webhook: Webhook;
  /** Undefined until they are known. */
  stats?: WebhookStats;
}

/** Says whether deliveries arrive: with a word, and since when not. */
export function Health({ webhook: { active, disabled_reason: reason }, stats }: HealthProps) {
  if (!active) {
    return (
      <span className={styles.health}>
        <Badge>Inactive</Badge>
        {reason === 'gone' && <span className={styles.since}>The receiver answered that it is gone (410).</span>}
        {reason === 'failing' && <span className={styles.since}>Everything failed for five days.</span>}
      </span>
    );
  }
  if (!stats) return null;
  if (stats.failing_since !== null) {
    return (
      <span className={styles.health}>
        <Badge look="danger">Failing</Badge>
        <span className={styles.since}>
          since <When time={stats.failing_since} />
        </span>
      </span>
    );
  }
  return <Badge>{stats.last_success_at === null ? 'Nothing sent yet' : 'Healthy'}</Badge>;
}
