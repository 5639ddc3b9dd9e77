import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getReview } from '../../../api/entry-parts/review';
import { mayFor } from '../../../session/rights';
import { useTenant } from '../../../shell/tenant';
import { type OfEntry, useAddress } from '../use-address';

/** The review that waits for the entry: null if none does. Publishing and discarding end it. */
export function useReview({ type, entry }: OfEntry, hasDraft: boolean) {
  const address = useAddress({ type, entry });
  const tenant = useTenant();
  const isPossible = hasDraft || entry.status === 'draft';
  return useQuery({
    queryKey: [...reviewKey(address.tenantId, entry.id), entry.status, hasDraft],
    queryFn: ({ signal }) => getReview(address, hasDraft, signal),
    // What is published waits with its draft only.
    enabled: isPossible && mayFor(tenant, 'content:read', type),
  });
}

/** Returns what reads the review again. */
export function useReadReview({ entry }: OfEntry): () => Promise<void> {
  const client = useQueryClient();
  const { id } = useTenant();
  return () => client.invalidateQueries({ queryKey: reviewKey(id, entry.id) });
}

function reviewKey(tenantId: string, id: string): string[] {
  return [tenantId, 'review', id];
}
