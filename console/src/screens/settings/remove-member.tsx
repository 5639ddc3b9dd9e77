import { useQueryClient } from '@tanstack/react-query';
import { removeMember, type Member } from '../../api/members';
import { Confirm } from '../../parts/confirm';
import { say } from '../../parts/status';
import { useTenant } from '../../shell/tenant';
import { membersKey } from './keys';

interface RemoveMemberProps {
  member: Member;
  onClose: () => void;
}

export function RemoveMember({ member, onClose }: RemoveMemberProps) {
  const tenant = useTenant();
  const client = useQueryClient();
  const who = member.name || member.email;
  return (
    <Confirm
      title={`Remove ${who} from ${tenant.name}?`}
      action={member.state === 'invited' ? 'Withdraw invitation' : 'Remove member'}
      onConfirm={() => removeMember(tenant.id, member.id)}
      onDone={() => {
        say(`${who} was removed.`);
        void client.invalidateQueries({ queryKey: membersKey(tenant.id) });
      }}
      onClose={onClose}
    >
      {member.state === 'invited'
        ? 'The link in the invitation stops working.'
        : 'Within a second, this person is signed out of this tenant, and the API keys that they made stop working. What they wrote stays.'}
    </Confirm>
  );
}
