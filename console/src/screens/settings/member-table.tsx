import { useState } from 'react';
import type { Member } from '../../api/members';
import type { Role } from '../../api/roles';
import { Table } from '../../parts/table';
import { MemberRow } from './member-row';
import { RemoveMember } from './remove-member';

interface MemberTableProps {
  members: readonly Member[];
  roles: readonly Role[];
}

export function MemberTable({ members, roles }: MemberTableProps) {
  const [removed, setRemoved] = useState<Member>();
  return (
    <>
      <Table name="Members" columns={['Name', 'Role', 'Last seen', 'Actions']}>
        {members.map((member) => (
          <MemberRow key={member.id} member={member} roles={roles} onRemove={() => setRemoved(member)} />
        ))}
      </Table>
      {removed && <RemoveMember member={removed} onClose={() => setRemoved(undefined)} />}
    </>
  );
}
