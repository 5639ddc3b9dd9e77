import { useCallback } from 'react';
import { SearchBox } from '../../lists/search-box';
import layout from '../../lists/list-layout.module.css';
import { KINDS } from '../../media/kinds';
import { Select } from '../../parts/fields/select';
import styles from './media.module.css';
import type { ChangeMedia, MediaState } from './media-address';

/** What the list shows. */
export function MediaToolbar({ state, onChange }: { state: MediaState; onChange: ChangeMedia }) {
  const search = useCallback((words: string) => onChange({ search: words }, { replace: true }), [onChange]);
  return (
    <div className={layout.toolbar}>
      <SearchBox value={state.search} onSearch={search} />
      <Select
        label="Kind"
        isLabelHidden
        className={styles.kind}
        value={KINDS.some(({ id }) => id === state.kind) ? state.kind : ''}
        onChange={({ target }) => onChange({ kind: target.value })}
      >
        <option value="">All kinds</option>
        {KINDS.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      <label className={layout.check}>
        <input
          type="checkbox"
          checked={state.isWithoutAlt}
          onChange={({ target }) => onChange({ isWithoutAlt: target.checked })}
        />
        Without alternative text
      </label>
    </div>
  );
}
