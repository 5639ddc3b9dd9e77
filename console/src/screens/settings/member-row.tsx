import { useMutation, useQueryClient } from '@tanstack/react-query';
import { changeRole, inviteAgain, type Member } from '../../api/members';
import type { Role } from '../../api/roles';
import { Badge } from '../../parts/badge';
import { Button } from '../../parts/button';
import { ProblemMessage } from '../../parts/problem-message';
import { Select } from '../../parts/fields/select';
import { say } from '../../parts/status';
import { When } from '../../parts/when';
import { may } from '../../session/rights';
import { useTenant } from '../../shell/tenant';
import { rolesToGive } from './given-roles';
import { membersKey } from './keys';
import styles from './member-row.module.css';

interface MemberRowProps {
  member: Member;
  roles: readonly Role[];
  onRemove: () => void;
}

export function MemberRow({ member, roles, onRemove }: MemberRowProps) {
  const tenant = useTenant();
  const client = useQueryClient();
  const send = useMutation({
    mutationFn: () => inviteAgain(tenant.id, member.id),
    onSuccess: () => say(`The invitation was sent to ${member.email} again.`),
  });
  const change = useMutation({
    mutationFn: (role: string) => changeRole(tenant.id, member.id, role),
    onSuccess: (_, role) => say(`${member.name || member.email} has the role ${role} now.`),
    onSettled: () => client.invalidateQueries({ queryKey: membersKey(tenant.id) }),
  });
  const isMe = member.id === tenant.user_id;
  const given = rolesToGive(roles, tenant);
  const mayChange = may(tenant, 'users:write') && !isMe && given.some(({ name }) => name === member.role);
  return (
    <tr>
      <th scope="row">
        <Who member={member} isMe={isMe} />
        <ProblemMessage error={change.error ?? send.error} />
      </th>
      <td className={styles.role}>
        {mayChange ? (
          <Select
            label="Role"
            isLabelHidden
            value={change.isPending ? change.variables : member.role}
            onChange={({ target }) => change.mutate(target.value)}
          >
            {given.map(({ id, name }) => (
              <option key={id} value={name}>
                {name}
              </option>
            ))}
          </Select>
        ) : (
          member.role
        )}
      </td>
      <td className={styles.seen}>{member.last_seen_at === null ? 'Never' : <When time={member.last_seen_at} />}</td>
      <td className={styles.end}>
        {mayChange && (
          <div className={styles.actions}>
            {member.state === 'invited' && (
              <Button isBusy={send.isPending} onClick={() => send.mutate()}>
                Send again
              </Button>
            )}
            <Button onClick={onRemove}>Remove</Button>
          </div>
        )}
      </td>
    </tr>
  );
}

function Who({ member: { name, email, state }, isMe }: { member: Member; isMe: boolean }) {
  return (
    <div className={styles.who}>
      <span>
        <strong dir="auto">{name || email}</strong> {isMe && <Badge>You</Badge>}
        {state === 'invited' && <Badge>Invited</Badge>}
      </span>
      {name !== '' && <span className={styles.email}>{email}</span>}
    </div>
  );
}
