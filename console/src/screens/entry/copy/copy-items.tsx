import { BASE } from '../../../base';
import { copyText } from '../../../parts/copying/copy-text';
import { MenuItem } from '../../../parts/menu';
import { mayFor } from '../../../session/rights';
import { useTenant } from '../../../shell/tenant';
import { type OfEntry, useAddress } from '../use-address';
import { curlOf, type ShownEntry, typeScriptOf } from './requests';

/** Items of `More`: the ID of an entry, and the request behind the page. */
export function CopyItems({ type, entry }: OfEntry) {
  const address = useAddress({ type, entry });
  const hasDrafts = mayFor(useTenant(), 'content:read', type);
  const shown: ShownEntry = { ...address, url: window.location.origin + BASE, isWithDraft: hasDrafts };
  return (
    <>
      <MenuItem onSelect={() => void copy(entry.id, 'The ID was copied.')}>Copy id</MenuItem>
      <MenuItem onSelect={() => void copy(curlOf(shown), 'The request was copied.')}>Copy as curl</MenuItem>
      <MenuItem onSelect={() => void copy(typeScriptOf(shown), 'The TypeScript was copied.')}>
        Copy as TypeScript
      </MenuItem>
    </>
  );
}

/** What cannot be copied is shown, so that it can be selected. */
function copy(text: string, done: string): Promise<void> {
  return copyText(text, done, `The browser does not let this page copy. This is the text: ${text}`);
}
