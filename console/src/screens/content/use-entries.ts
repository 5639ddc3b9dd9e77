import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { countEntries, type EntryQuery } from '../../api/entries';
import { type ContentType, getType } from '../../api/content-types';
import type { ListState } from '../../lists/list-address';
import { maySome } from '../../session/rights';
import { useTenant } from '../../shell/tenant';
import { entryQueryOf, FIRST_OF_ALL, FIRST_OF_DRAFTS, readPart } from './entry-parts';
import { entriesKey, typesKey } from './keys';

/** The content type. If the list of types has been read, its page begins with what that says. */
export function useType(slug: string) {
  const { id } = useTenant();
  const known = useQueryClient().getQueryData<readonly ContentType[]>(typesKey(id));
  return useQuery({
    queryKey: [...typesKey(id), slug],
    queryFn: ({ signal }) => getType(id, slug, signal),
    placeholderData: known?.find((type) => type.slug === slug),
  });
}

/** Whether the list shows what is there, and not only what is looked for. */
export function showsAll({ search, where, drafts, translation }: ListState): boolean {
  return search === '' && where === '' && !drafts && translation === '';
}

/**
 * The entries that the state asks for, page by page. The request does not wait for the content type. Those who may read drafts see entries
 * with the values of their drafts.
 */
export function useEntries(slug: string, state: ListState) {
  const tenant = useTenant();
  const query: EntryQuery = {
    ...entryQueryOf(state),
    ...(state.search !== '' && { highlight: 'true' }),
    ...(state.search !== '' && !state.drafts && { fuzzy: 'true' }),
    ...(maySome(tenant, 'content:read') && { preview: 'true' }),
  };
  return useInfiniteQuery({
    queryKey: [...entriesKey(tenant.id, slug), 'list', query, state.drafts],
    queryFn: ({ pageParam, signal }) => readPart({ tenantId: tenant.id, slug, query, signal }, pageParam),
    initialPageParam: state.drafts ? FIRST_OF_DRAFTS : FIRST_OF_ALL,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    // Reading a long list again would take a request for each of its pages.
    refetchOnWindowFocus: ({ state: { data } }) => data?.pages.length === 1,
  });
}

/** The number of all entries. */
export function useEntryCount(slug: string, isEnabled = true) {
  const { id } = useTenant();
  return useQuery({
    queryKey: [...entriesKey(id, slug), 'count'],
    queryFn: ({ signal }) => countEntries(id, slug, signal),
    enabled: isEnabled,
  });
}

export type EntriesQuery = ReturnType<typeof useEntries>;
