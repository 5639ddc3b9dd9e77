import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { announcePresence, leavePresence, listOthers } from '../../../api/entry-parts/presence';
import { ApiProblem } from '../../../api/problem';
import { mayFor } from '../../../session/rights';
import { useTenant } from '../../../shell/tenant';
import { type OfEntry, useAddress } from '../use-address';
import { useEditor } from '../use-editor';

/** Milliseconds until the service is asked, and told, again. It forgets within 30 seconds those who do not say more. */
const EVERY = 15_000;

/** Says that this page has the entry open, as long as it is seen, and returns the names of the others who have. */
export function usePresence({ type, entry }: OfEntry): readonly string[] {
  const tenant = useTenant();
  const editor = useEditor();
  const { tenantId, type: slug, id } = useAddress({ type, entry });
  const mayAnnounce = mayFor(tenant, 'content:draft', type);
  const maySee = mayFor(tenant, 'content:read', type);
  const { data, isError } = useQuery({
    queryKey: [tenantId, 'presence', slug, id],
    queryFn: async ({ signal }) => {
      const address = { tenantId, type: slug, id };
      if (mayAnnounce) await announcePresence(address, signal);
      return maySee ? listOthers(address, signal) : [];
    },
    enabled: mayAnnounce || maySee,
    refetchInterval: ({ state: { error } }) => !isGone(error) && EVERY,
    refetchOnWindowFocus: 'always',
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
  useEffect(() => {
    if (!mayAnnounce) return undefined;
    const leave = () => {
      if (!editor.isDeleted) leavePresence({ tenantId, type: slug, id });
    };
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      leave();
    };
  }, [editor, mayAnnounce, tenantId, slug, id]);
  return isError || !data ? NOBODY : data;
}

const NOBODY: readonly string[] = [];

/** Whether the entry is not there any more, or the right. */
function isGone(error: unknown): boolean {
  return error instanceof ApiProblem && [403, 404].includes(error.status);
}
