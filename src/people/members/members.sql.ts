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

const WITH_ROLE = `m.id, m.name, m.role_id AS "roleId", r.name AS "roleName", r.scopes, r.locales
  FROM members m LEFT JOIN roles r ON r.tenant_id = :tenantId AND r.id = m.role_id`;

/** The membership of a person who has accepted the invitation. */
export const FIND_MEMBERSHIP = statement<{ personId: string }, MemberRole>()(
  'members.find_membership',
  `SELECT ${WITH_ROLE} WHERE m.tenant_id = :tenantId AND m.person_id = :personId AND m.joined_at IS NOT NULL`,
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
