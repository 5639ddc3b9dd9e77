import { useQuery } from '@tanstack/react-query';
import { getUsage } from '../../api/usage';
import { Loading } from '../../parts/loading';
import { countInWords } from '../../parts/numbers';
import { ProblemMessage } from '../../parts/problem-message';
import { Table } from '../../parts/table';
import { useTenant } from '../../shell/tenant';
import { SettingsPage } from './settings-page';
import { UsageRow } from './usage-row';

/** What is counted, in the order of the page. */
const COUNTED = [
  ['entries', 'Entries'],
  ['content_types', 'Content types'],
  ['submissions', 'Submissions, spam too'],
  ['forms', 'Forms'],
  ['media_bytes', 'Files'],
  ['webhooks', 'Webhooks'],
  ['users', 'Members, invited ones too'],
] as const;

export default function UsagePage() {
  const tenant = useTenant();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [tenant.id, 'usage'],
    queryFn: ({ signal }) => getUsage(tenant.id, signal),
  });
  const perMinute = data?.limits.requests_per_minute;
  return (
    <SettingsPage title="Usage" about={`What ${tenant.name} has, and the limits that the operator of the service set.`}>
      <ProblemMessage error={error} onRetry={() => void refetch()} />
      {isPending && <Loading />}
      {data && (
        <>
          <Table name="Usage" columns={['What', 'Used', 'Limit']}>
            {COUNTED.map(([name, words]) => (
              <UsageRow
                key={name}
                name={words}
                used={data[name]}
                limit={data.limits[name]}
                isBytes={name === 'media_bytes'}
              />
            ))}
            <UsageRow name="Deliveries of the last 24 hours" used={data.deliveries_24h} />
          </Table>
          <p>
            {perMinute === undefined
              ? 'Requests are not limited for the tenant as a whole.'
              : `All keys and people together may send ${countInWords(perMinute)} requests a minute.`}
          </p>
        </>
      )}
    </SettingsPage>
  );
}
