import { lazy, Suspense, useCallback, useMemo, useState } from 'react';
import type { ContentType } from '../../api/content-types';
import { ColumnsDialog } from '../../lists/columns-dialog';
import { wordsOf } from '../../lists/filter';
import { FilterBuilder } from '../../lists/filter-builder';
import { addressOf, type ChangeList, type ListState } from '../../lists/list-address';
import layout from '../../lists/list-layout.module.css';
import { SaveView } from '../../lists/save-view';
import type { SavedViews } from '../../lists/saved-views';
import { SearchBox } from '../../lists/search-box';
import { filterOf, whereOf } from '../../lists/where';
import { isLocalized } from '../../locales/use-locales';
import { Button } from '../../parts/button';
import { mayFor } from '../../session/rights';
import { useTenant } from '../../shell/tenant';
import { filterFieldsOf } from './fields';
import type { EntryColumns } from './use-entry-columns';

/** Loaded for content types that are translated. */
const TranslationFilter = lazy(() => import('./translation-filter'));

interface EntryToolbarProps {
  type: ContentType;
  state: ListState;
  onChange: ChangeList;
  columns: EntryColumns;
  views: SavedViews;
}

/** What the list shows: search, filter, columns, drafts, and views that were saved. */
export function EntryToolbar({ type, state, onChange, columns, views }: EntryToolbarProps) {
  const tenant = useTenant();
  const seesDrafts = mayFor(tenant, 'content:read', type);
  const [open, setOpen] = useState<'filter' | 'columns' | 'view'>();
  const fields = useMemo(() => filterFieldsOf(type), [type]);
  const filter = filterOf(state.where, fields);
  const close = () => setOpen(undefined);
  const search = useCallback((words: string) => onChange({ search: words }, { replace: true }), [onChange]);
  const [, ...others] = columns.shown.map(({ name }) => name);
  return (
    <>
      <div className={layout.toolbar}>
        <SearchBox value={state.search} onSearch={search} />
        {seesDrafts && isLocalized(type) && (
          <Suspense>
            <TranslationFilter
              type={type}
              value={state.translation}
              onChange={(translation) => onChange({ translation })}
            />
          </Suspense>
        )}
        <Button
          aria-expanded={open === 'filter'}
          className={state.where === '' ? undefined : layout.dotted}
          onClick={() => setOpen(open === 'filter' ? undefined : 'filter')}
        >
          Filter
        </Button>
        <Button onClick={() => setOpen('columns')}>Columns</Button>
        <Button onClick={() => setOpen('view')}>Save view</Button>
        {seesDrafts && (
          <label className={layout.check}>
            <input
              type="checkbox"
              checked={state.drafts}
              onChange={({ target }) => onChange({ drafts: target.checked })}
            />
            Drafts only
          </label>
        )}
      </div>
      {open === 'filter' && (
        <FilterBuilder
          key={state.where}
          fields={fields}
          filter={filter ?? { match: 'all', conditions: [] }}
          onApply={(applied) => onChange({ where: whereOf(applied, fields) })}
        />
      )}
      {state.where !== '' && (
        <p className={layout.filtered}>
          <span dir="auto">{filter ? wordsOf(filter, fields) : 'The filter of this address was written by hand.'}</span>
          <Button look="quiet" onClick={() => onChange({ where: '' })}>
            Clear filter
          </Button>
        </p>
      )}
      {open === 'columns' && (
        <ColumnsDialog
          columns={columns.all}
          chosen={others}
          widths={columns.widths}
          onChoose={columns.choose}
          onResize={columns.resize}
          onClose={close}
        />
      )}
      {open === 'view' && (
        <SaveView
          query={addressOf({ ...state, columns: others }).toString()}
          views={views.views}
          onSave={(view) => {
            views.save(view);
            // The view is what is shown from now on.
            onChange({ columns: others }, { replace: true });
          }}
          onRemove={views.remove}
          onClose={close}
        />
      )}
    </>
  );
}
