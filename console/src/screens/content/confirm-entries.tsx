import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useContext } from 'react';
import type { ContentType } from '../../api/content-types';
import { countReferrers, type Entry } from '../../api/entries';
import type { Locale } from '../../api/locales';
import { Confirm } from '../../parts/confirm';
import { mayFor } from '../../session/rights';
import { useTenant } from '../../shell/tenant';
import { countOf, type EntryAction } from './entry-action-words';
import { EntryFactsContext } from './entry-facts';
import { startEntryWork } from './entry-work';
import { entriesKey } from './keys';

interface ConfirmEntriesProps {
  action: EntryAction;
  type: ContentType;
  /** Those that are selected. */
  entries: readonly Entry[];
  nameOf: (entry: Entry) => string;
  language: Locale | undefined;
  onStart: () => void;
  onClose: () => void;
}

/** Asks before many entries are changed, with the consequences in numbers. */
export function ConfirmEntries({ action, type, entries, nameOf, language, onStart, onClose }: ConfirmEntriesProps) {
  const tenant = useTenant();
  const client = useQueryClient();
  const mayWrite = mayFor(tenant, 'content:write', type);
  const concerned = mayWrite ? entries : entries.filter(({ status }) => status === 'draft');
  const start = () => {
    startEntryWork({
      ...{ action, type, nameOf, entries: concerned, tenantId: tenant.id, locale: language?.code },
      onEnd: () => void client.invalidateQueries({ queryKey: entriesKey(tenant.id, type.slug) }),
    });
    onStart();
  };
  const name = `${action} ${countOf(concerned)}`;
  return (
    <Confirm
      title={`${name}?`}
      action={name}
      look={action === 'Delete' ? 'danger' : 'primary'}
      isOff={concerned.length === 0}
      onDone={start}
      onClose={onClose}
    >
      {action === 'Publish' && (
        <>
          <PublishConsequences entries={concerned} />
          {language && ` Only ${language.name} is published.`}
        </>
      )}
      {action === 'Unpublish' && <UnpublishConsequences entries={concerned} />}
      {action === 'Delete' && <DeleteConsequences entries={concerned} kept={entries.length - concerned.length} />}
    </Confirm>
  );
}

function PublishConsequences({ entries }: { entries: readonly Entry[] }) {
  const { drafted } = useContext(EntryFactsContext);
  const live = entries.filter(({ status }) => status === 'published');
  const changed = live.filter(({ id }) => drafted.has(id));
  const [drafts, same] = [entries.length - live.length, live.length - changed.length];
  const parts = [
    drafts > 0 && `${countOf({ length: drafts })} ${drafts === 1 ? 'becomes' : 'become'} public.`,
    changed.length > 0 && `The changes of ${countOf(changed)} go live.`,
    same > 0 && `${entriesAre(same)} published already.`,
  ];
  return parts.filter(Boolean).join(' ');
}

function UnpublishConsequences({ entries }: { entries: readonly Entry[] }) {
  const live = entries.filter(({ status }) => status === 'published').length;
  if (live === 0) return 'Nothing changes: they are drafts already.';
  return `${entriesAre(live)} not public any more. What was written stays.`;
}

/** Entries for which it is counted who refers to them: each takes a request. */
const COUNTED = 20;

function DeleteConsequences({ entries, kept }: { entries: readonly Entry[]; kept: number }) {
  const { id: tenantId } = useTenant();
  const { data: referrers = 0 } = useQuery({
    queryKey: [tenantId, 'referrers', entries.map(({ id }) => id)],
    queryFn: async ({ signal }) => {
      const counts = await Promise.all(entries.map((entry) => countReferrers(tenantId, entry, signal)));
      return counts.reduce((sum, count) => sum + count, 0);
    },
    enabled: entries.length <= COUNTED,
    staleTime: 0,
  });
  const live = entries.filter(({ status }) => status === 'published').length;
  const parts = [
    live > 0 && `${entriesAre(live)} published.`,
    referrers > 0 &&
      `${referrers.toLocaleString()} ${referrers === 1 ? 'reference leads' : 'references lead'} to them.`,
    kept > 0 && `${countOf({ length: kept })} ${kept === 1 ? 'stays' : 'stay'}: you may not delete what is published.`,
    entries.length > 0 && 'This cannot be undone.',
  ];
  return parts.filter(Boolean).join(' ');
}

function entriesAre(count: number): string {
  return `${countOf({ length: count })} ${count === 1 ? 'is' : 'are'}`;
}
