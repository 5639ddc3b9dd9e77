import { lazy, Suspense, useState } from 'react';
import type { ContentType } from '../../api/content-types';
import type { Entry } from '../../api/entries';
import buttons from '../../parts/button.module.css';
import { classNames } from '../../parts/class-names';
import { Menu, MenuItem } from '../../parts/menu';
import { mayFor } from '../../session/rights';
import { useTenant } from '../../shell/tenant';
import { useEntryLanguage } from './language/entry-language';
import { CopyItems } from './copy/copy-items';

const ConfirmEntry = lazy(() => import('./confirm-entry'));

/** What is done seldom. */
export function MoreMenu({ type, entry }: { type: ContentType; entry: Entry }) {
  const tenant = useTenant();
  const [asked, setAsked] = useState<'unpublish' | 'delete'>();
  const isLive = entry.status === 'published';
  const language = useEntryLanguage();
  // Those who may change some languages alone neither unpublish nor delete.
  const isWhole = tenant.locales === undefined;
  const mayWrite = isWhole && mayFor(tenant, 'content:write', type);
  const mayDelete = mayWrite || (isWhole && !isLive && mayFor(tenant, 'content:draft', type));
  const close = () => setAsked(undefined);
  return (
    <>
      <Menu name="More" face="More" className={classNames(buttons.button, buttons.secondary)}>
        {language && <language.parts.Items type={type} entry={entry} />}
        <CopyItems type={type} entry={entry} />
        {isLive && mayWrite && <MenuItem onSelect={() => setAsked('unpublish')}>Unpublish</MenuItem>}
        {mayDelete && <MenuItem onSelect={() => setAsked('delete')}>Delete</MenuItem>}
      </Menu>
      <Suspense>{asked && <ConfirmEntry what={asked} type={type} entry={entry} onClose={close} />}</Suspense>
    </>
  );
}
