import type { ApiKey } from '../../../api/keys';
import { Badge } from '../../../parts/badge';
import { Button } from '../../../parts/button';
import { Table } from '../../../parts/table';
import { When } from '../../../parts/when';
import { may } from '../../../session/rights';
import { useSession } from '../../../session/session';
import { useTenant } from '../../../shell/tenant';
import { summaryOf } from '../scope-words';
import { useNarrowingTypes } from '../use-narrowing-types';
import { AdoptKey } from './adopt-key';
import styles from './key-table.module.css';

interface KeyTableProps {
  keys: readonly ApiKey[];
  onRevoke: (key: ApiKey) => void;
}

export function KeyTable({ keys, onRevoke }: KeyTableProps) {
  return (
    <Table name="API keys" columns={['Name', 'Last used', 'Expires', 'Actions']}>
      {keys.map((key) => (
        <KeyRow key={key.id} apiKey={key} onRevoke={() => onRevoke(key)} />
      ))}
    </Table>
  );
}

function KeyRow({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: () => void }) {
  const tenant = useTenant();
  const { key: own } = useSession();
  const { nameOf } = useNarrowingTypes();
  const {
    id,
    name,
    scopes,
    locales,
    source,
    last_used_at: lastUsed,
    expires_at: expires,
    created_by: createdBy,
  } = apiKey;
  const isConfigured = source === 'configuration';
  const isOfSomebodyElse = may(tenant, '*') && createdBy !== null && ![tenant.user_id, own?.id].includes(createdBy);
  return (
    <tr>
      <th scope="row">
        <div className={styles.what}>
          <span>
            <strong dir="auto">{name}</strong> {isConfigured && <Badge>Configuration</Badge>}
            {own?.id === id && <Badge>You</Badge>}
          </span>
          <span className={styles.rights}>{summaryOf(scopes, nameOf)}</span>
          {locales && <span className={styles.rights}>Only in {locales.join(', ')}</span>}
        </div>
      </th>
      <td className={styles.used}>{lastUsed === null ? 'Never' : <When time={lastUsed} />}</td>
      <td className={styles.expires}>{expires === null ? 'Never' : <When time={expires} />}</td>
      <td className={styles.end}>
        {may(tenant, 'keys:write') && !isConfigured && (
          <div className={styles.actions}>
            {isOfSomebodyElse && <AdoptKey apiKey={apiKey} />}
            <Button onClick={onRevoke}>Revoke</Button>
          </div>
        )}
      </td>
    </tr>
  );
}
