import type { AuditFilter } from '../../../api/audit';
import { Button } from '../../../parts/button';
import { Select } from '../../../parts/fields/select';
import { TextField } from '../../../parts/fields/text-field';
import { ACTIONS, actionTitle } from './actions';
import styles from './audit-filters.module.css';

interface AuditFiltersProps {
  filter: AuditFilter;
  onChange: (filter: AuditFilter) => void;
}

export function AuditFilters({ filter, onChange }: AuditFiltersProps) {
  const { action = '', from = '', to = '', actor, resource } = filter;
  return (
    <div className={styles.filters}>
      <Select label="Action" value={action} onChange={({ target }) => onChange({ ...filter, action: target.value })}>
        <option value="">All</option>
        {ACTIONS.map(({ name }) => (
          <option key={name} value={name}>
            {actionTitle(name)}
          </option>
        ))}
      </Select>
      <TextField
        label="From"
        type="date"
        value={from}
        max={to || undefined}
        onChange={({ target }) => onChange({ ...filter, from: target.value })}
      />
      <TextField
        label="Until"
        type="date"
        value={to}
        min={from || undefined}
        onChange={({ target }) => onChange({ ...filter, to: target.value })}
      />
      {actor !== undefined && (
        <Chosen what={`By ${actor}`} onRemove={() => onChange({ ...filter, actor: undefined })} />
      )}
      {resource !== undefined && (
        <Chosen what={`Of ${resource}`} onRemove={() => onChange({ ...filter, resource: undefined })} />
      )}
    </div>
  );
}

function Chosen({ what, onRemove }: { what: string; onRemove: () => void }) {
  return (
    <div className={styles.chosen}>
      <span>{what}</span>
      <Button look="quiet" aria-label={`Remove “${what}”`} onClick={onRemove}>
        Remove
      </Button>
    </div>
  );
}
