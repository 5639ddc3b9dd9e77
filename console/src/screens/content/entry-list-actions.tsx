import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { ContentType } from '../../api/content-types';
import type { Entry } from '../../api/entries';
import type { ListState } from '../../lists/list-address';
import { Button } from '../../parts/button';
import buttons from '../../parts/button.module.css';
import { classNames } from '../../parts/class-names';
import { Menu, MenuItem } from '../../parts/menu';
import { mayFor } from '../../session/rights';
import { useTenant } from '../../shell/tenant';
import { startExport } from './exchange/export-work';
import { ImportDialog } from './exchange/import-dialog';
import { entriesKey } from './keys';
import { NewEntry } from './new-entry';

interface EntryListActionsProps {
  type: ContentType;
  state: ListState;
  selected: readonly Entry[];
  /** There is nothing yet: what begins it is where the entries will be. */
  isEmpty: boolean;
}

/** What can be done with the whole list. Export takes what is selected, or else all that the list shows. */
export function EntryListActions({ type, state, selected, isEmpty }: EntryListActionsProps) {
  const tenant = useTenant();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [isImporting, setImporting] = useState(false);
  const mayDraft = mayFor(tenant, 'content:draft', type);
  const save = (format: 'csv' | 'ndjson') => startExport({ tenantId: tenant.id, type, state, selected, format });
  return (
    <>
      {mayFor(tenant, 'content:write', type) && (
        <Button onClick={() => navigate(`/types/${type.slug}`)}>Edit content type</Button>
      )}
      {mayDraft && <Button onClick={() => setImporting(true)}>Import</Button>}
      <Menu name="Export" face="Export" className={classNames(buttons.button, buttons.secondary)}>
        <MenuItem onSelect={() => save('csv')}>CSV</MenuItem>
        <MenuItem onSelect={() => save('ndjson')}>NDJSON</MenuItem>
      </Menu>
      {mayDraft && !isEmpty && <NewEntry type={type} />}
      {isImporting && (
        <ImportDialog
          type={type}
          onEnd={() => void client.invalidateQueries({ queryKey: entriesKey(tenant.id, type.slug) })}
          onClose={() => setImporting(false)}
        />
      )}
    </>
  );
}
