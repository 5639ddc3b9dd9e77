import { useQuery } from '@tanstack/react-query';
import { createPreviewLink } from '../../../api/entry-parts/preview-link';
import type { EntryAddress } from '../../../api/entry';

/** Milliseconds after which another link is made: a link is valid for an hour. */
const RENEWED_AFTER = 45 * 60_000;

/** The token of a link that shows the entry with its draft. */
export function usePreviewToken(address: EntryAddress, isNeeded: boolean) {
  return useQuery({
    queryKey: [address.tenantId, 'preview link', address.id],
    queryFn: async () => {
      const url = await createPreviewLink({ ...address, locale: undefined });
      return url.slice(url.lastIndexOf('/') + 1);
    },
    enabled: isNeeded,
    staleTime: RENEWED_AFTER,
    refetchInterval: RENEWED_AFTER,
  });
}
