import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listRoles, type Role } from '../../api/roles';
import { Badge } from '../../parts/badge';
import { Button } from '../../parts/button';
import { Loading } from '../../parts/loading';
import { ProblemMessage } from '../../parts/problem-message';
import { Row, Rows } from '../../parts/rows';
import { may } from '../../session/rights';
import { useTenant } from '../../shell/tenant';
import { useOpen } from '../../shell/use-open';
import { DeleteRole } from './delete-role';
import { rolesToGive } from './given-roles';
import { rolesKey } from './keys';
import { RoleForm } from './role-form';
import { summaryOf } from './scope-words';
import { useNarrowingTypes } from './use-narrowing-types';
import { SettingsPage } from './settings-page';

interface Open {
  readonly what: 'edit' | 'delete';
  readonly role: Role;
}

export default function Roles() {
  const tenant = useTenant();
  const [open, setOpen] = useState<Open>();
  const [isCreating, setCreating] = useOpen('new');
  const close = () => setOpen(undefined);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: rolesKey(tenant.id),
    queryFn: ({ signal }) => listRoles(tenant.id, signal),
  });
  const { nameOf } = useNarrowingTypes();
  const mayWrite = may(tenant, 'users:write');
  const given = rolesToGive(data ?? [], tenant);
  return (
    <SettingsPage
      title="Roles"
      about="A role is a list of rights with a name. Every tenant has the first five, which nobody can change."
      actions={
        mayWrite && (
          <Button look="primary" onClick={() => setCreating(true)}>
            New role
          </Button>
        )
      }
    >
      <ProblemMessage error={error} onRetry={() => void refetch()} />
      {isPending && <Loading />}
      {data && (
        <Rows>
          {data.map((role) => (
            <Row
              key={role.id}
              title={
                <>
                  {role.name} {role.built_in && <Badge>Built in</Badge>}
                </>
              }
              actions={
                mayWrite &&
                !role.built_in &&
                given.includes(role) && (
                  <>
                    <Button onClick={() => setOpen({ what: 'edit', role })}>Edit</Button>
                    <Button onClick={() => setOpen({ what: 'delete', role })}>Delete</Button>
                  </>
                )
              }
            >
              {summaryOf(role.scopes, nameOf)}
              {role.locales && <div>Only in {role.locales.join(', ')}</div>}
            </Row>
          ))}
        </Rows>
      )}
      {isCreating && mayWrite && <RoleForm onClose={() => setCreating(false)} />}
      {open?.what === 'edit' && <RoleForm role={open.role} onClose={close} />}
      {open?.what === 'delete' && <DeleteRole role={open.role} onClose={close} />}
    </SettingsPage>
  );
}
