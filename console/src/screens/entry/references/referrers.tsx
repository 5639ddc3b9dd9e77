import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ContentType } from '../../../api/content-types';
import { listReferrers, type Referrer } from '../../../api/entry-parts/referrers';
import { LoadMore } from '../../../lists/load-more';
import { Loading } from '../../../parts/loading';
import { ProblemMessage } from '../../../parts/problem-message';
import { Row, Rows } from '../../../parts/rows';
import { useEntryNames } from '../names/use-entry-names';
import { type OfEntry, useAddress } from '../use-address';
import { EntryLink } from './entry-link';
import { labelOfPath } from './label-of-path';

/** The entries that refer to this one, once for each field that does. */
export function Referrers({ type, entry }: OfEntry) {
  const address = useAddress({ type, entry });
  const referrers = useInfiniteQuery({
    queryKey: [address.tenantId, 'referrers', entry.id],
    queryFn: ({ pageParam, signal }) => listReferrers(address, pageParam, signal),
    initialPageParam: '',
    getNextPageParam: ({ meta }) => meta.next_cursor ?? undefined,
  });
  const found = useMemo(() => referrers.data?.pages.flatMap(({ data }) => data) ?? [], [referrers.data]);
  const places = useMemo(
    () => found.map(({ entry_id: id, content_type_id: typeId }) => ({ id, types: [typeId] })),
    [found],
  );
  const { names, types } = useEntryNames(places);
  return (
    <>
      {!referrers.data && <ProblemMessage error={referrers.error} onRetry={() => void referrers.refetch()} />}
      {referrers.isPending && <Loading />}
      {referrers.data && (
        <Rows empty="No entry refers to this one.">
          {found.map((referrer) => (
            <Row
              key={`${referrer.entry_id} ${referrer.field}`}
              title={<EntryLink id={referrer.entry_id} named={names.get(referrer.entry_id)} />}
            >
              <bdi>{placeOf(referrer, types)}</bdi>
            </Row>
          ))}
        </Rows>
      )}
      <LoadMore query={referrers} />
    </>
  );
}

/** `Article › Author` */
function placeOf({ content_type_id: id, field }: Referrer, types: readonly ContentType[]): string {
  const type = types.find((each) => each.id === id);
  return type ? `${type.name} › ${labelOfPath(type.fields, field)}` : field;
}
