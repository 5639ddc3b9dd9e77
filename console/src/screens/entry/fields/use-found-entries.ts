import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import type { ContentType, FieldDefinition } from '../../../api/content-types';
import { type EntryQuery, type FoundEntry, listEntries, searchEntries } from '../../../api/entries';
import type { EnteredTenant } from '../../../api/sessions';
import { maySome } from '../../../session/rights';
import { useTenant } from '../../../shell/tenant';
import { titleField, titleOf } from '../../content/entry-title';
import { inLanguage, otherThanDefault, useEntryLanguage } from '../language/entry-language';
import { targetNames, useTypes } from './use-referred';

const FOUND = 10;
/** Milliseconds without a keystroke after which is searched. */
const PAUSE = 150;

/** The entries that a search finds; without words, the newest ones. Undefined: nothing is asked for. */
export function useFoundEntries(definition: FieldDefinition, typed: string | undefined) {
  const tenant = useTenant();
  const { data: types } = useTypes();
  const locale = otherThanDefault(useEntryLanguage());
  const search = usePaused(typed?.trim());
  const names = targetNames(definition);
  const targets = useMemo(
    () => (types ?? []).filter(({ id, slug }) => names.includes(id) || names.includes(slug)),
    [types, names],
  );
  const { data, error, isPending } = useQuery({
    queryKey: [tenant.id, 'found', names, search, locale],
    queryFn: ({ signal }) =>
      search
        ? searchEntries(tenant.id, { search, types: targets.map(({ id }) => id), count: FOUND, locale }, signal)
        : newest(tenant.id, targets, { ...inLanguage(locale), ...previewFor(tenant) }, signal),
    enabled: search !== undefined && types !== undefined,
    placeholderData: (before) => before,
  });
  const typeNames = useMemo(
    () => new Map(targets.length > 1 ? targets.map(({ id, name }) => [id, name]) : []),
    [targets],
  );
  return { entries: useDeferredValue(data ?? NONE), typeNames, error, isPending };
}

const NONE: readonly FoundEntry[] = [];

function previewFor(tenant: EnteredTenant): EntryQuery {
  return maySome(tenant, 'content:read') ? { preview: 'true' } : {};
}

async function newest(
  tenantId: string,
  targets: readonly ContentType[],
  reading: EntryQuery,
  signal: AbortSignal,
): Promise<readonly FoundEntry[]> {
  const count = Math.max(1, Math.floor(FOUND / targets.length));
  const pages = await Promise.all(
    targets.map(async (type) => {
      const field = titleField(type);
      const query = { cursor: '', per_page: String(count), select: field?.name ?? '' };
      const { data } = await listEntries(tenantId, type.slug, { ...query, ...reading }, signal);
      return data.map((entry) => ({ ...entry, title: titleOf(field, entry) }));
    }),
  );
  return pages.flat().slice(0, FOUND);
}

/** The text once nobody types any more. The first one at once. */
function usePaused(text: string | undefined): string | undefined {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  return paused === undefined ? text : paused;
}
