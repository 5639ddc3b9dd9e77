import type { ContentType } from '../../../api/content-types';
import type { Entry } from '../../../api/entries';
import { MenuItem } from '../../../parts/menu';
import { say } from '../../../parts/status';
import { mayFor } from '../../../session/rights';
import { useTenant } from '../../../shell/tenant';
import { useEditor } from '../use-editor';
import { useEntryLanguage } from './entry-language';

/** What is done seldom with the languages of an entry. */
export function LanguageItems({ type, entry }: { type: ContentType; entry: Entry }) {
  const tenant = useTenant();
  const editor = useEditor();
  const language = useEntryLanguage();
  if (!language || !mayFor(tenant, 'content:write', type)) return null;
  const { name, own, states, isDefault } = language;
  const isPublished = entry.status === 'published';
  const isWaiting = !isPublished || states?.some(({ draft, live, values }) => draft || (!live && values > 0)) === true;
  const setLive = async (isLive: boolean) => {
    if (await editor.setLive(isLive)) say(isLive ? `${name} is public again.` : `${name} is not public any more.`);
  };
  const canToggle = isPublished && !isDefault && !editor.isReadOnly && own !== undefined && own.values > 0;
  return (
    <>
      {tenant.locales === undefined && isWaiting && (
        <MenuItem onSelect={() => void editor.publish()}>Publish all languages</MenuItem>
      )}
      {canToggle && (
        <MenuItem onSelect={() => void setLive(!own.live)}>
          {own.live ? `Take ${name} off` : `Bring ${name} back`}
        </MenuItem>
      )}
    </>
  );
}
