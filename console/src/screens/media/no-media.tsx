import { Button } from '../../parts/button';
import { EmptyState } from '../../parts/empty-state';
import { may } from '../../session/rights';
import { useTenant } from '../../shell/tenant';
import type { ChangeMedia, MediaState } from './media-address';

/** There is no file, or none that is looked for. */
export function NoMedia({ state, onChange }: { state: MediaState; onChange: ChangeMedia }) {
  const { search, kind, isWithoutAlt } = state;
  const mayUpload = may(useTenant(), 'media:write');
  const all = <Button onClick={() => onChange({ search: '', kind: '', isWithoutAlt: false })}>Show all files</Button>;
  if (search !== '') {
    return (
      <EmptyState title="Nothing was found" action={all}>
        No file{kind !== '' || isWithoutAlt ? ' that the filter leaves' : ''} has “<bdi>{search}</bdi>” in its name or
        alternative text.
      </EmptyState>
    );
  }
  if (isWithoutAlt || kind !== '') {
    return (
      <EmptyState title="Nothing to show" action={all}>
        {isWithoutAlt ? 'Every file of these has an alternative text.' : 'There are no files of this kind.'}
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No files yet">
      {mayUpload
        ? 'Upload the first ones, or drop them here. Entries can then show them.'
        : 'They are shown here once somebody has uploaded one.'}
    </EmptyState>
  );
}
