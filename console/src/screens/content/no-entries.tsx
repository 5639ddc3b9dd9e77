import type { ContentType } from '../../api/content-types';
import type { ChangeList, ListState } from '../../lists/list-address';
import { Button } from '../../parts/button';
import { EmptyState } from '../../parts/empty-state';
import { mayFor } from '../../session/rights';
import { useTenant } from '../../shell/tenant';
import { NewEntry } from './new-entry';

interface NoEntriesProps {
  type: ContentType;
  state: ListState;
  onChange: ChangeList;
}

/** There is no entry, or none that is looked for. */
export function NoEntries({ type, state: { search, where, drafts, translation }, onChange }: NoEntriesProps) {
  const tenant = useTenant();
  const all = (
    <Button onClick={() => onChange({ search: '', where: '', drafts: false, translation: '' })}>
      Show all entries
    </Button>
  );
  const isFiltered = where !== '' || translation !== '';
  if (search !== '') {
    return (
      <EmptyState title="Nothing was found" action={all}>
        No entry{isFiltered || drafts ? ' that the filter leaves' : ''} contains “<bdi>{search}</bdi>”.
      </EmptyState>
    );
  }
  if (isFiltered || drafts) {
    return (
      <EmptyState title="Nothing to show" action={all}>
        {isFiltered ? 'No entry meets the conditions of the filter.' : 'Everything is published as it is.'}
      </EmptyState>
    );
  }
  const mayDraft = mayFor(tenant, 'content:draft', type);
  return (
    <EmptyState title="No entries yet" action={mayDraft && <NewEntry type={type} />}>
      {mayDraft
        ? 'Write the first one, or import those that you have.'
        : 'They are shown here once somebody has written one.'}
    </EmptyState>
  );
}
