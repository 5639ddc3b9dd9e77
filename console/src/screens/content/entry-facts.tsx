import { useQueries, useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useMemo } from 'react';
import { type ContentType, listTypes } from '../../api/content-types';
import { type Entry, entriesWithIds, type EntryQuery, MAX_IDS } from '../../api/entries';
import { maySome } from '../../session/rights';
import { useTenant } from '../../shell/tenant';
import { titleField, titleOf } from './entry-title';
import type { ListedField } from './fields';
import { entriesKey, typesKey } from './keys';

/** What the list of entries does not say of them, and is asked once they are shown. */
interface EntryFacts {
  /** The IDs of entries with a draft. */
  readonly drafted: ReadonlySet<string>;
  /** The titles of entries referred to, by their IDs. */
  readonly titles: ReadonlyMap<string, string>;
  /** The language that is shown, if it is not the default one. */
  readonly locale: string | undefined;
}

export const EntryFactsContext = createContext<EntryFacts>({
  drafted: new Set(),
  titles: new Map(),
  locale: undefined,
});

interface EntryFactsOfProps {
  type: ContentType;
  /** The entries that are shown, page by page. */
  pages: readonly (readonly Entry[])[];
  /** The fields that are shown and refer to entries. */
  references: readonly ListedField[];
  /** The language of the list, if it is not the default one. */
  locale: string | undefined;
  children: ReactNode;
}

/** The API takes at most so many paths to include. */
const MAX_PATHS = 10;

/** Asks for the drafts and the titles of references of each page at once, and lets the cells of the table know. */
export function EntryFactsOf({ type, pages, references, locale, children }: EntryFactsOfProps) {
  const drafted = useDrafted(type, pages);
  const titles = useTitles(type, pages, references.slice(0, MAX_PATHS), locale);
  const facts = useMemo(() => ({ drafted, titles, locale }), [drafted, titles, locale]);
  return <EntryFactsContext value={facts}>{children}</EntryFactsContext>;
}

function useDrafted(type: ContentType, pages: EntryFactsOfProps['pages']): ReadonlySet<string> {
  const ids = useIncludedPages(type, pages, maySome(useTenant(), 'content:read') && DRAFTED);
  return useMemo(() => new Set(ids.flatMap(({ data }) => data.map(({ id }) => id))), [ids]);
}

const DRAFTED: EntryQuery = { has_draft: 'true', select: '' };

function useTitles(
  type: ContentType,
  pages: EntryFactsOfProps['pages'],
  references: readonly ListedField[],
  locale: string | undefined,
): ReadonlyMap<string, string> {
  const tenant = useTenant();
  const { data: types } = useQuery({
    queryKey: typesKey(tenant.id),
    queryFn: ({ signal }) => listTypes(tenant.id, signal),
    enabled: references.length > 0,
  });
  const query = useMemo(
    () =>
      types !== undefined &&
      references.length > 0 && {
        ...titlesQuery(references, types, maySome(tenant, 'content:read')),
        ...(locale !== undefined && { locale }),
      },
    [types, references, tenant, locale],
  );
  const answers = useIncludedPages(type, pages, query);
  return useMemo(() => {
    const fields = new Map((types ?? [type]).map((each) => [each.id, titleField(each)]));
    const own = pages.flat();
    const included = answers.flatMap((answer) => Object.values(answer.included ?? {}));
    return new Map([...own, ...included].map((entry) => [entry.id, titleOf(fields.get(entry.content_type_id), entry)]));
  }, [answers, pages, types, type]);
}

/** Includes the entries referred to, of which only what names them is read. */
function titlesQuery(references: readonly ListedField[], types: readonly ContentType[], preview: boolean): EntryQuery {
  const select = references.flatMap(({ path, definition: { content_type: one, content_types: several = [] } }) =>
    [one, ...several].flatMap((name) => {
      const target = types.find(({ id, slug }) => id === name || slug === name);
      const field = target && titleField(target);
      return field ? [`${path}.${field.name}`] : [];
    }),
  );
  return {
    include: references.map(({ path }) => path).join(','),
    select: [...new Set(select)].join(','),
    ...(preview && { preview: 'true' }),
  };
}

/** Asks for the entries of each page, with this query. Without a query, for nothing. A failure leaves out what would be shown besides. */
function useIncludedPages(type: ContentType, pages: EntryFactsOfProps['pages'], query: EntryQuery | false) {
  const { id: tenantId } = useTenant();
  return useQueries({
    queries: pages.flatMap(idsInParts).map((ids) => {
      return {
        queryKey: [...entriesKey(tenantId, type.slug), 'facts', query, ids],
        queryFn: ({ signal }: { signal: AbortSignal }) => entriesWithIds(tenantId, type.slug, ids, query || {}, signal),
        enabled: query !== false,
      };
    }),
    combine: combineAnswers,
  });
}

/** The IDs of a page, as many together as a request can name. */
function idsInParts(page: readonly Entry[]): readonly (readonly string[])[] {
  const ids = page.map(({ id }) => id);
  return Array.from({ length: Math.ceil(ids.length / MAX_IDS) }, (_, part) =>
    ids.slice(part * MAX_IDS, (part + 1) * MAX_IDS),
  );
}

function combineAnswers<T>(results: readonly { data: T | undefined }[]): readonly T[] {
  return results.flatMap(({ data }) => (data === undefined ? [] : [data]));
}
