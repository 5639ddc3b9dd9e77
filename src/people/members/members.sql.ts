import { statement } from '../../database/statements/statement.js';

/** A member and the role, as a session needs them. */
export interface MemberRole {
  id: string;
  name: string;
  roleId: string;
  /** The next three are null for a built-in role. */
  roleName: string | null;
  scopes: string[] | null;
  locales: string[] | null;
}

/** SQL for the columns of a `MemberRole`, and its tables. */
export const WITH_ROLE = `m.id, m.name, m.role_id AS "roleId", r.name AS "roleName", r.scopes, r.locales
  FROM members m LEFT JOIN roles r ON r.tenant_id = :tenantId AND r.id = m.role_id` as const;

/** A membership, and what the person has set for it. */
export interface Membership extends MemberRole {
  notifyReviews: boolean;
}

/** The membership of a person who has accepted the invitation. */
export const FIND_MEMBERSHIP = statement<{ personId: string }, Membership>()(
  'members.find_membership',
  `SELECT m.notify_reviews AS "notifyReviews", ${WITH_ROLE} WHERE m.tenant_id = :tenantId AND m.person_id = :personId AND m.joined_at IS NOT NULL`,
);

export const FIND_JOINED_MEMBER = statement<{ id: string }, MemberRole>()(
  'members.find_joined',
  `SELECT ${WITH_ROLE} WHERE m.tenant_id = :tenantId AND m.id = :id AND m.joined_at IS NOT NULL`,
);

export const NAMES_OF_MEMBERS = statement<{ ids: readonly string[] }, { id: string; name: string }>()(
  'members.names',
  'SELECT id, name FROM members WHERE tenant_id = :tenantId AND id = ANY (:ids::uuid[])',
);

/** Stores when members were last seen. */
export const STORE_MEMBER_USES = statement<{ ids: readonly string[]; times: readonly string[] }, never>()(
  'members.store_uses',
  `UPDATE members m SET last_seen_at = used.at
    FROM (SELECT id, at FROM unnest(:ids::uuid[], :times::timestamptz[]) AS u (id, at) ORDER BY id) AS used
    WHERE m.tenant_id = :tenantId AND m.id = used.id AND (m.last_seen_at IS NULL OR m.last_seen_at < used.at)`,
);

export const RENAME_MEMBER = statement<{ personId: string; name: string }, never>()(
  'members.rename',
  'UPDATE members SET name = :name WHERE tenant_id = :tenantId AND person_id = :personId',
);

export const SET_REVIEW_NOTICES = statement<{ personId: string; notify: boolean }, never>()(
  'members.set_review_notices',
  'UPDATE members SET notify_reviews = :notify WHERE tenant_id = :tenantId AND person_id = :personId',
);

/** A member, or somebody who is invited, with the role, as it is stored. Times are ISO 8601. */
export interface MemberRow extends MemberRole {
  /** Null until the invitation is accepted. */
  personId: string | null;
  address: string;
  email: string;
  joinedAt: string | null;
  lastSeenAt: string | null;
}

export const FIND_MEMBER = statement<{ id: string }, MemberRow>()(
  'members.find',
  `SELECT m.person_id AS "personId", m.address, m.email, m.joined_at AS "joinedAt", m.last_seen_at AS "lastSeenAt", ${WITH_ROLE}
    WHERE m.tenant_id = :tenantId AND m.id = :id`,
);

export const FIND_MEMBER_BY_ADDRESS = statement<{ address: string }, { id: string; joinedAt: string | null }>()(
  'members.find_by_address',
  'SELECT id, joined_at AS "joinedAt" FROM members WHERE tenant_id = :tenantId AND address = :address',
);

/** Writes somebody who is invited. Returns no row if the address is that of a member, or of somebody who is invited already. */
export const INSERT_MEMBER = statement<
  { id: string; address: string; email: string; name: string; roleId: string },
  { id: string }
>()(
  'members.insert',
  `INSERT INTO members (tenant_id, id, address, email, name, role_id, notify_reviews)
    VALUES (:tenantId, :id, :address, :email, :name, :roleId, false)
    ON CONFLICT (tenant_id, address) DO NOTHING RETURNING id`,
);

export const SET_ROLE = statement<{ id: string; roleId: string }, never>()(
  'members.set_role',
  'UPDATE members SET role_id = :roleId, own_role_id = NULL WHERE tenant_id = :tenantId AND id = :id',
);

/** Makes somebody who is invited a member. Returns no row if they are not invited any more. */
export const JOIN_MEMBER = statement<{ id: string; personId: string; name: string }, { id: string }>()(
  'members.join',
  `UPDATE members SET person_id = :personId, name = :name, joined_at = now()
    WHERE tenant_id = :tenantId AND id = :id AND joined_at IS NULL RETURNING id`,
);

export const DELETE_MEMBER = statement<{ id: string }, never>()(
  'members.delete',
  'DELETE FROM members WHERE tenant_id = :tenantId AND id = :id',
);
