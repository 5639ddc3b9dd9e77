import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query';
import { type ContentType, listTypes } from '../../../api/content-types';
import { entriesWithIds } from '../../../api/entries';
import { listMediaUses, type MediaUse } from '../../../api/media';
import { maySome } from '../../../session/rights';
import { useTenant } from '../../../shell/tenant';
import { titleField, titleOf } from '../../content/entry-title';
import { entriesKey, typesKey } from '../../content/keys';
import { usesKey } from '../keys';

/** Where a file is used, page by page. */
export function useFileUses(id: string) {
  const { id: tenantId } = useTenant();
  return useInfiniteQuery({
    queryKey: [...usesKey(tenantId, id), 'list'],
    queryFn: ({ pageParam, signal }) => listMediaUses(tenantId, id, pageParam, signal),
    initialPageParam: '',
    getNextPageParam: ({ meta }) => meta.next_cursor ?? undefined,
  });
}

interface Using {
  /** The type of each entry, by its ID. */
  readonly types: ReadonlyMap<string, ContentType>;
  /** What each entry is called, by its ID. */
  readonly titles: ReadonlyMap<string, string>;
}

/** What is known of the entries of these uses, asked once for each page and type. */
export function useUsing(pages: readonly (readonly MediaUse[])[]): Using {
  const tenant = useTenant();
  const { data: types = [] } = useQuery({
    queryKey: typesKey(tenant.id),
    queryFn: ({ signal }) => listTypes(tenant.id, signal),
    enabled: pages.some((page) => page.length > 0) && maySome(tenant, 'content:read:published'),
  });
  const titles = useQueries({
    queries: pages
      .flatMap((page) => entriesByType(page, types))
      .map(({ type, ids }) => ({
        queryKey: [...entriesKey(tenant.id, type.slug), 'titles', ids],
        queryFn: async ({ signal }: { signal: AbortSignal }) => {
          const field = titleField(type);
          const query = {
            select: field?.name ?? '',
            ...(maySome(tenant, 'content:read') && { preview: 'true' }),
          };
          const { data } = await entriesWithIds(tenant.id, type.slug, ids, query, signal);
          return data.map((entry) => [entry.id, titleOf(field, entry)] as const);
        },
      })),
    combine: (results) => new Map(results.flatMap(({ data }) => data ?? [])),
  });
  return { types: new Map(types.map((type) => [type.id, type])), titles };
}

function entriesByType(page: readonly MediaUse[], types: readonly ContentType[]) {
  return types.flatMap((type) => {
    const uses = page.filter(({ content_type_id: id }) => id === type.id);
    return uses.length === 0 ? [] : [{ type, ids: [...new Set(uses.map(({ entry_id: id }) => id))] }];
  });
}
