import type { TenantEvent } from '../../../api/events';
import { When } from '../../../parts/when';
import styles from './live-events.module.css';

/** An event, and on request what receivers get of it. */
export function EventItem({ event: { id, type, timestamp, data } }: { event: TenantEvent }) {
  const about = data?.['id'];
  return (
    <li className={styles.item}>
      <details>
        <summary className={styles.head}>
          <strong>{type}</strong> {typeof about === 'string' && <code>{about}</code>}{' '}
          <span className={styles.when}>
            <When time={timestamp} />
          </span>
        </summary>
        <pre className={styles.data} tabIndex={0} aria-label={`Data of ${id}`} dir="auto">
          {data === null ? 'It was erased.' : JSON.stringify(data, undefined, 2)}
        </pre>
      </details>
    </li>
  );
}
