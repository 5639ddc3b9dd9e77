import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { type AuditFilter, listAudit } from '../../../api/audit';
import { LoadMore } from '../../../lists/load-more';
import { Button } from '../../../parts/button';
import { Loading } from '../../../parts/loading';
import { ProblemMessage } from '../../../parts/problem-message';
import { Table } from '../../../parts/table';
import { useTenant } from '../../../shell/tenant';
import { SettingsPage } from '../settings-page';
import { AuditFilters } from './audit-filters';
import { AuditRow } from './audit-row';
import { exportAudit } from './export-audit';
import { useAuditFilter } from './use-audit-filter';

export default function AuditLog() {
  const tenant = useTenant();
  const [filter, setFilter] = useAuditFilter();
  const records = useInfiniteQuery({
    queryKey: [tenant.id, 'audit', filter],
    queryFn: ({ pageParam, signal }) => listAudit(tenant.id, filter, { cursor: pageParam, signal }),
    initialPageParam: '',
    getNextPageParam: ({ meta }) => meta.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  });
  const shown = records.data?.pages.flatMap(({ data }) => data);
  return (
    <SettingsPage
      title="Audit log"
      about={`Who changed what in ${tenant.name}, newest first. It holds names of what was changed, and no values.`}
      actions={
        <Button disabled={!shown?.length} onClick={() => exportAudit(tenant.id, filter)}>
          Export
        </Button>
      }
    >
      <AuditFilters filter={filter} onChange={setFilter} />
      <ProblemMessage error={records.error} onRetry={() => void records.refetch()} />
      {records.isPending && <Loading />}
      {shown?.length === 0 && (
        <p>{isLimited(filter) ? 'No change fits these conditions.' : 'Nothing was changed yet.'}</p>
      )}
      {shown && shown.length > 0 && (
        <Table name="Audit log" columns={['What', 'When']}>
          {shown.map((record) => (
            <AuditRow key={record.id} record={record} onChoose={(chosen) => setFilter({ ...filter, ...chosen })} />
          ))}
        </Table>
      )}
      <LoadMore query={records} />
    </SettingsPage>
  );
}

function isLimited(filter: AuditFilter): boolean {
  return Object.values(filter).some(Boolean);
}
