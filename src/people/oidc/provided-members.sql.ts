import { statement } from '../../database/statements/statement.js';
import type { MemberRow } from '../members/members.sql.js';
import type { ProvidedMember } from './provided-membership.js';

type ProvidedMemberRow = ProvidedMember & Omit<MemberRow, keyof ProvidedMember>;

/** The membership of the person, then the member or the invitation with the address. Either may be null. */
export const FIND_PROVIDED_MEMBERS = statement<
  { personId: string | null; address: string | null },
  ProvidedMemberRow
>()(
  'members.find_provided',
  `SELECT m.id, m.name, m.role_id AS "roleId", r.name AS "roleName", r.scopes, r.locales, m.person_id AS "personId", m.address, m.email,
      m.joined_at AS "joinedAt", m.last_seen_at AS "lastSeenAt", m.provider, m.own_role_id AS "ownRoleId"
    FROM members m LEFT JOIN roles r ON r.tenant_id = :tenantId AND r.id = m.role_id
    WHERE m.tenant_id = :tenantId AND (m.person_id = :personId::uuid OR m.address = :address)
    ORDER BY m.person_id IS NOT DISTINCT FROM :personId::uuid DESC LIMIT 1`,
);

/** Writes a member whom a provider brings. Returns no row if the address is that of another member. */
export const INSERT_PROVIDED_MEMBER = statement<
  {
    id: string;
    personId: string;
    address: string;
    email: string;
    name: string;
    roleId: string;
    provider: string;
  },
  { id: string }
>()(
  'members.insert_provided',
  `INSERT INTO members (tenant_id, id, person_id, address, email, name, role_id, provider, notify_reviews, joined_at)
    VALUES (:tenantId, :id, :personId, :address, :email, :name, :roleId, :provider, false, now())
    ON CONFLICT DO NOTHING RETURNING id`,
);

export const SET_PROVIDED_ROLE = statement<{ id: string; roleId: string; ownRoleId: string | null }, never>()(
  'members.set_provided_role',
  'UPDATE members SET role_id = :roleId, own_role_id = :ownRoleId::uuid WHERE tenant_id = :tenantId AND id = :id',
);
