import { type InfiniteData, keepPreviousData, type QueryClient, useInfiniteQuery } from '@tanstack/react-query';
import { listMedia, type MediaFile, type MediaPage, type MediaQuery } from '../../api/media';
import { KINDS } from '../../media/kinds';
import { useTenant } from '../../shell/tenant';
import { mediaListKey } from './keys';
import type { MediaState } from './media-address';

type Wanted = Omit<MediaQuery, 'cursor'>;

/** The files that the state asks for, newest first, page by page. */
export function useMedia({ search, kind, isWithoutAlt }: MediaState) {
  const { id } = useTenant();
  const mimeType = KINDS.find((each) => each.id === kind)?.mimeType;
  const wanted: Wanted = { search, isWithoutAlt, ...(mimeType !== undefined && { mimeType }) };
  return useInfiniteQuery({
    queryKey: [...mediaListKey(id), wanted],
    queryFn: ({ pageParam, signal }) => listMedia(id, { ...wanted, cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: ({ meta }) => meta.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    // Reading a long list again would take a request for each of its pages.
    refetchOnWindowFocus: ({ state: { data } }) => data?.pages.length === 1,
  });
}

export type MediaFilesQuery = ReturnType<typeof useMedia>;

/** Puts a file that was just uploaded before the others, in each list that it belongs to. What a search finds, the service knows. */
export function showUploaded(client: QueryClient, tenantId: string, file: MediaFile): void {
  const key = mediaListKey(tenantId);
  for (const [queryKey] of client.getQueriesData<InfiniteData<MediaPage>>({ queryKey: key })) {
    const wanted = queryKey.at(-1) as Wanted;
    const isOfKind = wanted.mimeType === undefined || file.mime_type.startsWith(wanted.mimeType.slice(0, -1));
    if (wanted.search !== '') void client.invalidateQueries({ queryKey });
    else if (isOfKind) client.setQueryData<InfiniteData<MediaPage>>(queryKey, (data) => data && withFirst(data, file));
  }
}

function withFirst({ pages, pageParams }: InfiniteData<MediaPage>, file: MediaFile): InfiniteData<MediaPage> {
  const [first, ...others] = pages;
  if (!first || first.data.some(({ id }) => id === file.id)) return { pages, pageParams };
  return { pageParams, pages: [{ ...first, data: [file, ...first.data] }, ...others] };
}
