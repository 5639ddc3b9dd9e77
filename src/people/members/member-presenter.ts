import { formatId, timeOf } from '../../ids/type-id.js';
import { roleOf } from './member-role.js';
import type { MemberDto } from './members.dto.js';
import type { MemberRow } from './members.sql.js';

export type PresentableMember = Omit<MemberRow, 'personId' | 'address'>;

export function presentMember(member: PresentableMember): MemberDto {
  const { id, email, name, joinedAt, lastSeenAt } = member;
  return {
    id: formatId('usr', id),
    email,
    name,
    role: roleOf(member).name,
    state: joinedAt === null ? 'invited' : 'active',
    last_seen_at: lastSeenAt,
    created_at: timeOf(id).toISOString(),
  };
}
