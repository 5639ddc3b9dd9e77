import { useState } from 'react';
import type { ContentType } from '../../api/content-types';
import type { Entry } from '../../api/entries';
import type { Selection } from '../../lists/selection';
import { SelectionBar } from '../../lists/selection-bar';
import { Button } from '../../parts/button';
import { mayFor } from '../../session/rights';
import { useTenant } from '../../shell/tenant';
import { ConfirmEntries } from './confirm-entries';
import type { EntryAction } from './entry-action-words';

interface SelectionActionsProps {
  type: ContentType;
  selection: Selection<Entry>;
  nameOf: (entry: Entry) => string;
}

/** What can be done with the entries that are selected. */
export function SelectionActions({ type, selection, nameOf }: SelectionActionsProps) {
  const tenant = useTenant();
  const [asked, setAsked] = useState<EntryAction>();
  const actions: EntryAction[] = [];
  if (mayFor(tenant, 'content:write', type)) actions.push('Publish', 'Unpublish');
  if (mayFor(tenant, 'content:draft', type)) actions.push('Delete');
  return (
    <>
      <SelectionBar count={selection.rows.length} onClear={selection.clear}>
        {actions.map((action) => (
          <Button key={action} onClick={() => setAsked(action)}>
            {action}
          </Button>
        ))}
      </SelectionBar>
      {asked && (
        <ConfirmEntries
          action={asked}
          type={type}
          entries={selection.rows}
          nameOf={nameOf}
          onStart={selection.clear}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}
