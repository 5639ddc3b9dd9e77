import { useQueryClient } from '@tanstack/react-query';
import { deleteRole, type Role } from '../../api/roles';
import { Confirm } from '../../parts/confirm';
import { say } from '../../parts/status';
import { useTenant } from '../../shell/tenant';
import { rolesKey } from './keys';

interface DeleteRoleProps {
  role: Role;
  onClose: () => void;
}

export function DeleteRole({ role, onClose }: DeleteRoleProps) {
  const tenant = useTenant();
  const client = useQueryClient();
  return (
    <Confirm
      title={`Delete the role ${role.name}?`}
      action="Delete role"
      onConfirm={() => deleteRole(tenant.id, role.id)}
      onDone={() => {
        say(`The role ${role.name} was deleted.`);
        void client.invalidateQueries({ queryKey: rolesKey(tenant.id) });
      }}
      onClose={onClose}
    >
      Members who have it must be given another role before.
    </Confirm>
  );
}
