import { useCallback, useMemo } from 'react';
import type { ContentType } from '../../api/content-types';
import type { Entry } from '../../api/entries';
import { useSavedViews } from '../../lists/saved-views';
import type { ChangeList, ListState } from '../../lists/list-address';
import layout from '../../lists/list-layout.module.css';
import { useSelection } from '../../lists/selection';
import { ViewLinks } from '../../lists/view-links';
import type { Locale } from '../../api/locales';
import { isLocalized, useLocales } from '../../locales/use-locales';
import { Page } from '../../parts/page';
import { EntryFactsOf } from './entry-facts';
import { EntryListActions } from './entry-list-actions';
import { EntryTable } from './entry-table';
import { EntryToolbar } from './entry-toolbar';
import { titleField, titleOf } from './entry-title';
import { SelectionActions } from './selection-actions';
import { translationOf } from './translation';
import { useEntryColumns } from './use-entry-columns';
import { type EntriesQuery, showsAll, useEntryCount } from './use-entries';

interface EntryListProps {
  type: ContentType;
  entries: EntriesQuery;
  state: ListState;
  onChange: ChangeList;
}

export function EntryList({ type, entries, state, onChange }: EntryListProps) {
  const columns = useEntryColumns(type, state, onChange);
  const views = useSavedViews(type.id);
  const selection = useSelection<Entry>(JSON.stringify([state.search, state.where, state.drafts, state.translation]));
  const pages = useMemo(() => entries.data?.pages.map((page) => page.entries) ?? [], [entries.data]);
  const isEmpty = showsAll(state) && pages.length > 0 && pages.every((page) => page.length === 0);
  const nameOf = useCallback((entry: Entry) => titleOf(titleField(type), entry), [type]);
  const language = useListLanguage(type, state);
  return (
    <Page
      title={type.name}
      about={<EntryCount slug={type.slug} />}
      actions={<EntryListActions type={type} state={state} selected={selection.rows} isEmpty={isEmpty} />}
      isWide
    >
      <div className={layout.list}>
        <ViewLinks views={views.views} />
        <EntryToolbar type={type} state={state} onChange={onChange} columns={columns} views={views} />
        <EntryFactsOf
          type={type}
          pages={pages}
          references={columns.references}
          locale={translationOf(state.translation)?.code}
        >
          <EntryTable
            type={type}
            entries={entries}
            pages={pages}
            state={state}
            onChange={onChange}
            columns={columns}
            selection={selection}
            nameOf={nameOf}
          />
          <SelectionActions type={type} selection={selection} nameOf={nameOf} language={language} />
        </EntryFactsOf>
      </div>
    </Page>
  );
}

/** The language of the list, in which its entries are published. Undefined where there is only one. */
function useListLanguage(type: ContentType, { translation }: ListState): Locale | undefined {
  const { data } = useLocales(isLocalized(type));
  if (!data || data.data.locales.length === 1) return undefined;
  const code = translationOf(translation)?.code ?? data.data.default;
  return data.data.locales.find((locale) => locale.code === code);
}

/** Its line is there before the number is, so that nothing moves. */
function EntryCount({ slug }: { slug: string }) {
  const { data } = useEntryCount(slug);
  return <>{data === undefined ? '\u00a0' : `${data.toLocaleString()} ${data === 1 ? 'entry' : 'entries'}`}</>;
}
