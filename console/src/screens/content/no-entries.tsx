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
export function NoEntries({ type, state: { search, where, drafts }, onChange }: NoEntriesProps) {
  const tenant = useTenant();
  const all = <Button onClick={() => onChange({ search: '', where: '', drafts: false })}>Show all entries</Button>;
  if (search !== '') {
    return (
      <EmptyState title="Nothing was found" action={all}>
        No entry{where !== '' || drafts ? ' that the filter leaves' : ''} contains “<bdi>{search}</bdi>”.
      </EmptyState>
    );
  }
  if (where !== '' || drafts) {
    return (
      <EmptyState title="Nothing to show" action={all}>
        {where === '' ? 'Everything is published as it is.' : 'No entry meets the conditions of the filter.'}
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
