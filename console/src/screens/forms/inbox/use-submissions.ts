import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { listSubmissions } from '../../../api/submissions';
import { useTenant } from '../../../shell/tenant';
import { submissionsKey } from '../keys';
import type { Box } from './boxes';

const PER_PAGE = '50';

/** A box of the inbox, newest first. */
export function useSubmissions(formId: string, { id, query }: Box, search: string) {
  const tenant = useTenant();
  return useInfiniteQuery({
    queryKey: [...submissionsKey(tenant.id, formId), 'list', id, search],
    queryFn: ({ pageParam, signal }) => {
      const page = { ...query, ...(search !== '' && { search }), cursor: pageParam, per_page: PER_PAGE };
      return listSubmissions(tenant.id, formId, page, signal);
    },
    initialPageParam: '',
    getNextPageParam: ({ meta }) => meta.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  });
}
