import { useState } from 'react';
import type { ContentType } from '../../api/content-types';
import type { Entry } from '../../api/entries';
import type { Locale } from '../../api/locales';
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
  /** In which entries are published; undefined where there is only one. */
  language: Locale | undefined;
}

/** What can be done with the entries that are selected. */
export function SelectionActions({ type, selection, nameOf, language }: SelectionActionsProps) {
  const tenant = useTenant();
  const [asked, setAsked] = useState<EntryAction>();
  const actions: EntryAction[] = [];
  // Those who may change some languages alone publish these, and neither unpublish nor delete.
  const isWhole = tenant.locales === undefined;
  const mayPublish = isWhole || (language !== undefined && tenant.locales.includes(language.code));
  if (mayPublish && mayFor(tenant, 'content:write', type)) actions.push('Publish');
  if (isWhole && mayFor(tenant, 'content:write', type)) actions.push('Unpublish');
  if (isWhole && mayFor(tenant, 'content:draft', type)) actions.push('Delete');
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
          language={language}
          onStart={selection.clear}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}
