import { useInfiniteQuery } from '@tanstack/react-query';
import { listVersions } from '../../../api/entry-parts/history';
import { entriesKey } from '../../content/keys';
import { type OfEntry, useAddress } from '../use-address';

export function useVersions({ type, entry }: OfEntry) {
  const address = useAddress({ type, entry });
  return useInfiniteQuery({
    // Whatever changes the entry makes a version.
    queryKey: [...entriesKey(address.tenantId, type.slug), 'versions', entry.id],
    queryFn: ({ pageParam, signal }) => listVersions(address, pageParam, signal),
    initialPageParam: '',
    getNextPageParam: ({ meta }) => meta.next_cursor ?? undefined,
    staleTime: 0,
  });
}
