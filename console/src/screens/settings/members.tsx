import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { listMembers } from '../../api/members';
import { listRoles } from '../../api/roles';
import { Button } from '../../parts/button';
import { EmptyState } from '../../parts/empty-state';
import { Loading } from '../../parts/loading';
import { ProblemMessage } from '../../parts/problem-message';
import { TextField } from '../../parts/fields/text-field';
import { may } from '../../session/rights';
import { useTenant } from '../../shell/tenant';
import { useOpen } from '../../shell/use-open';
import { Invite } from './invite';
import { MemberTable } from './member-table';
import { SettingsPage } from './settings-page';
import { membersKey, rolesKey } from './keys';

export default function Members() {
  const tenant = useTenant();
  const [isInviting, setInviting] = useOpen('new');
  const [search, setSearch] = useState('');
  const words = useDeferredValue(search.trim());
  const roles = useQuery({ queryKey: rolesKey(tenant.id), queryFn: ({ signal }) => listRoles(tenant.id, signal) });
  const members = useInfiniteQuery({
    queryKey: [...membersKey(tenant.id), words],
    queryFn: ({ pageParam, signal }) => listMembers(tenant.id, { search: words, cursor: pageParam, signal }),
    initialPageParam: '',
    getNextPageParam: ({ meta }) => meta.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  });
  const mayWrite = may(tenant, 'users:write');
  const invite = mayWrite && (
    <Button look="primary" onClick={() => setInviting(true)}>
      Invite
    </Button>
  );
  const shown = members.data?.pages.flatMap(({ data }) => data);
  const isEmpty = shown?.length === 0 && words === '';
  return (
    <SettingsPage
      title="Members"
      about={`People who may enter ${tenant.name}, and what they may do.`}
      actions={!isEmpty && invite}
    >
      {(words !== '' || search !== '' || (shown && shown.length > 10)) && (
        <TextField label="Search" type="search" value={search} onChange={({ target }) => setSearch(target.value)} />
      )}
      <ProblemMessage error={members.error ?? roles.error} onRetry={() => void members.refetch()} />
      {members.isPending && <Loading />}
      {isEmpty && (
        <EmptyState title="Nobody is a member yet" action={invite}>
          Only API keys enter {tenant.name} so far. Invite people, and give each a role.
        </EmptyState>
      )}
      {shown?.length === 0 && words !== '' && <p>No name or address contains “{words}”.</p>}
      {shown && shown.length > 0 && <MemberTable members={shown} roles={roles.data ?? []} />}
      {members.hasNextPage && (
        <div>
          <Button isBusy={members.isFetchingNextPage} onClick={() => void members.fetchNextPage()}>
            Load more
          </Button>
        </div>
      )}
      {isInviting && mayWrite && roles.data && <Invite roles={roles.data} onClose={() => setInviting(false)} />}
    </SettingsPage>
  );
}
