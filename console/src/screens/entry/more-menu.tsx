import { useState } from 'react';
import type { ContentType } from '../../api/content-types';
import type { Entry } from '../../api/entries';
import buttons from '../../parts/button.module.css';
import { classNames } from '../../parts/class-names';
import { Menu, MenuItem } from '../../parts/menu';
import { mayFor } from '../../session/rights';
import { useTenant } from '../../shell/tenant';
import { DeleteEntry, UnpublishEntry } from './confirm-entry';
import { CopyItems } from './copy/copy-items';

/** What is done seldom. */
export function MoreMenu({ type, entry }: { type: ContentType; entry: Entry }) {
  const tenant = useTenant();
  const [asked, setAsked] = useState<'unpublish' | 'delete'>();
  const isLive = entry.status === 'published';
  const mayWrite = mayFor(tenant, 'content:write', type);
  const mayDelete = mayWrite || (!isLive && mayFor(tenant, 'content:draft', type));
  const close = () => setAsked(undefined);
  return (
    <>
      <Menu name="More" face="More" className={classNames(buttons.button, buttons.secondary)}>
        <CopyItems type={type} entry={entry} />
        {isLive && mayWrite && <MenuItem onSelect={() => setAsked('unpublish')}>Unpublish</MenuItem>}
        {mayDelete && <MenuItem onSelect={() => setAsked('delete')}>Delete</MenuItem>}
      </Menu>
      {asked === 'unpublish' && <UnpublishEntry type={type} entry={entry} onClose={close} />}
      {asked === 'delete' && <DeleteEntry type={type} entry={entry} onClose={close} />}
    </>
  );
}
