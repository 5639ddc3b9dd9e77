import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { listWebhooks } from '../../api/webhooks';
import { EmptyState } from '../../parts/empty-state';
import { Loading } from '../../parts/loading';
import { ProblemMessage } from '../../parts/problem-message';
import { Table } from '../../parts/table';
import { useTenant } from '../../shell/tenant';
import { webhooksKey } from './keys';
import { WebhookRow } from './webhook-row';

/** `create` is the button for those who may. */
export function WebhookList({ create }: { create: ReactNode }) {
  const tenant = useTenant();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: webhooksKey(tenant.id),
    queryFn: ({ signal }) => listWebhooks(tenant.id, signal),
  });
  return (
    <>
      <ProblemMessage error={error} onRetry={() => void refetch()} />
      {isPending && <Loading />}
      {data?.length === 0 && (
        <EmptyState title="There is no webhook yet">
          {create
            ? 'Press “New webhook” to have a website built again, a cache refreshed or a chat told when something changes.'
            : 'Somebody who may change webhooks can make one.'}
        </EmptyState>
      )}
      {data && data.length > 0 && (
        <Table name="Webhooks" columns={['URL', 'Health', 'Last 24 hours']}>
          {data.map((webhook) => (
            <WebhookRow key={webhook.id} webhook={webhook} />
          ))}
        </Table>
      )}
    </>
  );
}
