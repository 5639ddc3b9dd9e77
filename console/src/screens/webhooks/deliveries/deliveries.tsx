import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DELIVERY_STATES, type DeliveryState, listDeliveries } from '../../../api/deliveries';
import type { Webhook } from '../../../api/webhooks';
import { LoadMore } from '../../../lists/load-more';
import { EmptyState } from '../../../parts/empty-state';
import { Loading } from '../../../parts/loading';
import { ProblemMessage } from '../../../parts/problem-message';
import { Select } from '../../../parts/fields/select';
import { may } from '../../../session/rights';
import { useTenant } from '../../../shell/tenant';
import { deliveriesKey } from '../keys';
import { DeliveryItem } from './delivery-item';
import styles from './deliveries.module.css';
import { RedeliverFailed } from './redeliver-failed';
import { STATES } from './states';

/** Milliseconds after which a list with something pending is asked again. */
const AGAIN = 3_000;

export function Deliveries({ webhook }: { webhook: Webhook }) {
  const tenant = useTenant();
  const [state, setState] = useState<DeliveryState>();
  const deliveries = useInfiniteQuery({
    queryKey: [...deliveriesKey(tenant.id, webhook.id), state],
    queryFn: ({ pageParam, signal }) =>
      listDeliveries(tenant.id, webhook.id, { ...(state && { state }), cursor: pageParam, signal }),
    initialPageParam: '',
    getNextPageParam: ({ meta }) => meta.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => {
      const pages = data?.pages ?? [];
      return pages.length === 1 && pages[0]?.data.some(({ status }) => status === 'pending') ? AGAIN : false;
    },
  });
  const shown = deliveries.data?.pages.flatMap(({ data }) => data);
  return (
    <>
      <div className={styles.bar}>
        <Select
          label="State"
          value={state ?? ''}
          onChange={({ target }) => setState(DELIVERY_STATES.find((each) => each === target.value))}
        >
          <option value="">All</option>
          {DELIVERY_STATES.map((each) => (
            <option key={each} value={each}>
              {STATES[each].words}
            </option>
          ))}
        </Select>
        {may(tenant, 'webhooks:write') && <RedeliverFailed webhook={webhook} />}
      </div>
      <ProblemMessage
        error={deliveries.isFetchNextPageError ? null : deliveries.error}
        onRetry={() => void deliveries.refetch()}
      />
      {deliveries.isPending && <Loading />}
      {shown?.length === 0 &&
        (state ? (
          <p>No delivery is {STATES[state].words.toLowerCase()}.</p>
        ) : (
          <EmptyState title="Nothing was sent yet">
            Deliveries appear here when something happens that this webhook is for. “Send test” sends one now.
          </EmptyState>
        ))}
      {shown && shown.length > 0 && (
        <ul className={styles.list} aria-label="Deliveries">
          {shown.map((delivery) => (
            <DeliveryItem key={delivery.id} delivery={delivery} />
          ))}
        </ul>
      )}
      <LoadMore query={deliveries} />
    </>
  );
}
