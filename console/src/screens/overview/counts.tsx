import { Link } from 'wouter';
import type { EnteredTenant } from '../../api/sessions';
import type { Usage } from '../../api/usage';
import { classNames } from '../../parts/class-names';
import { closenessOf } from '../../parts/closeness';
import { bytesInWords, countInWords } from '../../parts/numbers';
import { ProblemMessage } from '../../parts/problem-message';
import { may, maySome } from '../../session/rights';
import { useTenant } from '../../shell/tenant';
import styles from './counts.module.css';
import { useUsage } from './use-usage';

interface Counted {
  readonly name: Exclude<keyof Usage, 'limits' | 'deliveries_24h'>;
  readonly words: string;
  readonly href: string;
  /** The page that the number leads to must be open to the session. */
  readonly isFor: (tenant: EnteredTenant) => boolean;
}

const content = (tenant: EnteredTenant) => maySome(tenant, 'content:read:published');
const forms = (tenant: EnteredTenant) => may(tenant, 'forms:read');

const COUNTED: readonly Counted[] = [
  { name: 'entries', words: 'Entries', href: '/content', isFor: content },
  { name: 'content_types', words: 'Content types', href: '/content', isFor: content },
  { name: 'media_bytes', words: 'Files', href: '/media', isFor: (tenant) => may(tenant, 'media:read') },
  { name: 'submissions', words: 'Submissions', href: '/forms', isFor: forms },
  { name: 'forms', words: 'Forms', href: '/forms', isFor: forms },
  { name: 'webhooks', words: 'Webhooks', href: '/webhooks', isFor: (tenant) => may(tenant, 'webhooks:read') },
  { name: 'users', words: 'Members', href: '/settings/members', isFor: (tenant) => may(tenant, 'users:read') },
];

/** What the tenant has, and how close its limits are. */
export function Counts() {
  const tenant = useTenant();
  const { data, error, refetch } = useUsage();
  if (!data) {
    return error ? (
      <ProblemMessage error={error} onRetry={() => void refetch()} />
    ) : (
      <div className={styles.awaited} aria-hidden="true" />
    );
  }
  return (
    <ul className={styles.counts} aria-label="Counts">
      {COUNTED.filter(({ isFor }) => isFor(tenant)).map((counted) => (
        <li key={counted.name}>
          <Count counted={counted} used={data[counted.name]} limit={data.limits[counted.name]} />
        </li>
      ))}
    </ul>
  );
}

function Count({ counted, used, limit }: { counted: Counted; used: number; limit: number | undefined }) {
  const { name, words, href } = counted;
  const inWords = name === 'media_bytes' ? bytesInWords : countInWords;
  const closeness = limit === undefined ? undefined : closenessOf(used, limit);
  return (
    <Link href={href} className={styles.count}>
      <span className={styles.name}>{words} </span>
      <span className={styles.number}>{inWords(used)} </span>
      {limit !== undefined && (
        <span className={classNames(styles.limit, closeness && styles.close)}>
          of {inWords(limit)}
          {closeness && `: ${closeness}`}
        </span>
      )}
    </Link>
  );
}
