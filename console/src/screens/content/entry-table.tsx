import { useMemo } from 'react';
import type { ContentType } from '../../api/content-types';
import type { Entry } from '../../api/entries';
import { DataTable } from '../../lists/data-table';
import type { ChangeList, ListState } from '../../lists/list-address';
import { LoadMore } from '../../lists/load-more';
import type { Selection } from '../../lists/selection';
import { Loading } from '../../parts/loading';
import { ProblemMessage } from '../../parts/problem-message';
import { mayFor } from '../../session/rights';
import { useTenant } from '../../shell/tenant';
import { NoEntries } from './no-entries';
import type { EntryColumns } from './use-entry-columns';
import type { EntriesQuery } from './use-entries';

interface EntryTableProps {
  type: ContentType;
  entries: EntriesQuery;
  pages: readonly (readonly Entry[])[];
  state: ListState;
  onChange: ChangeList;
  columns: EntryColumns;
  selection: Selection<Entry>;
  nameOf: (entry: Entry) => string;
}

export function EntryTable({ type, entries, pages, state, onChange, columns, selection, nameOf }: EntryTableProps) {
  const tenant = useTenant();
  const rows = useMemo(() => distinct(pages.flat()), [pages]);
  const corrected = entries.data?.pages[0]?.corrected;
  if (entries.isPending) return <Loading />;
  return (
    <>
      {!entries.isFetchNextPageError && <ProblemMessage error={entries.error} onRetry={() => void entries.refetch()} />}
      {corrected !== undefined && (
        <p>
          No entry contains “<bdi>{state.search}</bdi>”. These contain “<bdi>{corrected}</bdi>”.
        </p>
      )}
      {rows.length === 0 && !entries.error && <NoEntries type={type} state={state} onChange={onChange} />}
      {rows.length > 0 && (
        <DataTable
          name="Entries"
          columns={columns.shown}
          rows={rows}
          titleOf={nameOf}
          widths={columns.widths}
          onResize={columns.resize}
          sort={state.sort}
          onSort={(sort) => onChange({ sort })}
          // A selection can at least be exported.
          selection={mayFor(tenant, 'content:read:published', type) ? selection : undefined}
          isStale={entries.isPlaceholderData}
        >
          <LoadMore query={entries} />
        </DataTable>
      )}
    </>
  );
}

/** An entry whose place changed while the list was read is in it once. */
function distinct(entries: readonly Entry[]): readonly Entry[] {
  return [...new Map(entries.map((entry) => [entry.id, entry])).values()];
}
