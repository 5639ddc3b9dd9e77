import { type NoParameters, serviceStatement, statement } from '../database/statements/statement.js';
import { insert, part, write } from '../database/statements/write.js';

/** A key as it is stored, without its uses. */
export interface KeyRow {
  id: string;
  name: string;
  scopes: string[];
  /** Null: it may change the values of all locales. */
  locales: string[] | null;
  createdBy: string;
  /** 32 hexadecimal digits. Null if a person made it, directly or through other keys. */
  root: string | null;
  /** The UUID of the member who made it so; null if a configured key did. */
  memberId: string | null;
  createdAt: string;
  expiresAt: string | null;
}

interface NewKey extends Omit<KeyRow, 'scopes' | 'locales'> {
  hash: string;
  scopes: readonly string[];
  locales: readonly string[] | null;
}

/** What a key may do, and the role of the member who made it. */
export interface KeyRights extends Pick<KeyRow, 'scopes' | 'locales' | 'memberId'> {
  /** The role of the member; null without one. */
  roleId: string | null;
  /** The scopes of the role, unless it is built in. */
  roleScopes: string[] | null;
  /** The locales of the role; null: all. */
  roleLocales: string[] | null;
}

/** SQL for the columns of `KeyRights`, and its tables. */
const RIGHTS =
  'k.scopes, k.locales, k.member_id AS "memberId", m.role_id AS "roleId", r.scopes AS "roleScopes", r.locales AS "roleLocales"';
const WITH_ROLES = `api_keys k
    LEFT JOIN members m ON m.tenant_id = k.tenant_id AND m.id = k.member_id AND m.joined_at IS NOT NULL
    LEFT JOIN roles r ON r.tenant_id = k.tenant_id AND r.id = m.role_id`;
const VALID = '(k.expires_at IS NULL OR k.expires_at > now())';

/** The keys of some tenants, as processes hold them in memory. */
export const KEYS_OF_TENANTS = serviceStatement<
  { tenantIds: readonly string[] },
  KeyRights & Pick<KeyRow, 'id' | 'name' | 'root' | 'expiresAt'> & { tenantId: string; hash: string }
>()(
  'keys.of_tenants',
  `SELECT k.tenant_id AS "tenantId", k.id, encode(k.hash, 'base64') AS hash, k.name, encode(k.root, 'hex') AS root,
      k.expires_at AS "expiresAt", ${RIGHTS}
    FROM ${WITH_ROLES}
    WHERE k.tenant_id = ANY (:tenantIds::text[]) AND ${VALID}`,
);

/** What a valid key may do now. */
export const GET_RIGHTS = statement<{ id: string }, KeyRights>()(
  'keys.get_rights',
  `SELECT ${RIGHTS} FROM ${WITH_ROLES} WHERE k.tenant_id = :tenantId AND k.id = :id AND ${VALID}`,
);

/** Deletes the keys that have expired, so that a tenant has no more rows than valid keys. */
export const DELETE_EXPIRED = statement<NoParameters, never>()(
  'keys.delete_expired',
  `WITH expired AS (
    DELETE FROM api_keys WHERE tenant_id = :tenantId AND expires_at <= now() RETURNING id
  )
  DELETE FROM key_uses u USING expired WHERE u.tenant_id = :tenantId AND u.key_id = expired.id`,
);

/** How many keys the tenant has that its configured keys and its members made. */
export const COUNT_KEYS = statement<{ roots: readonly string[] }, { total: number }>()(
  'keys.count',
  `SELECT count(*) AS total FROM api_keys WHERE tenant_id = :tenantId AND (root IS NULL OR encode(root, 'hex') = ANY (:roots::text[]))`,
);

/** What a key inherits from the key that makes it. */
export const GET_MAKER = statement<{ id: string }, Pick<KeyRow, 'root' | 'memberId' | 'expiresAt'>>()(
  'keys.get_maker',
  `SELECT encode(root, 'hex') AS root, member_id AS "memberId", expires_at AS "expiresAt" FROM api_keys WHERE tenant_id = :tenantId AND id = :id`,
);

export const INSERT_KEY = statement<NewKey, never>()(
  'keys.insert',
  `INSERT INTO api_keys (tenant_id, id, hash, name, scopes, locales, created_by, root, member_id, created_at, expires_at)
    VALUES (:tenantId, :id, decode(:hash, 'base64'), :name, :scopes::text[], :locales::text[], :createdBy, decode(:root, 'hex'), :memberId, :createdAt, :expiresAt)`,
);

/** Deletes a key and all keys that it made, directly or through others. Returns their IDs; no row if there is no such key. */
export const REVOKE = statement<{ id: string }, { id: string }>()(
  'keys.revoke',
  `WITH RECURSIVE revoked AS (
    SELECT k.id FROM api_keys k WHERE k.tenant_id = :tenantId AND k.id = :id
    UNION
    SELECT k.id FROM revoked r JOIN api_keys k ON k.tenant_id = :tenantId AND k.created_by = r.id
  ), unused AS (
    DELETE FROM key_uses u USING revoked r WHERE u.tenant_id = :tenantId AND u.key_id = r.id
  )
  DELETE FROM api_keys k USING revoked r WHERE k.tenant_id = :tenantId AND k.id = r.id RETURNING k.id`,
);

/** Whether a member can make keys: the membership may have ended since the request was admitted. */
export const HAS_MEMBER = statement<{ id: string }, { id: string }>()(
  'keys.has_member',
  'SELECT id FROM members WHERE tenant_id = :tenantId AND id = :id AND joined_at IS NOT NULL',
);

/**
 * Makes a key, and all that it made, those of another maker, with which they end. Returns no row if there is no such key, or if it made the
 * maker itself.
 */
export const ADOPT_KEY = statement<
  { id: string } & Pick<KeyRow, 'createdBy' | 'root' | 'memberId' | 'expiresAt'>,
  { id: string }
>()(
  'keys.adopt',
  `WITH RECURSIVE adopted AS (
    SELECT k.id FROM api_keys k WHERE k.tenant_id = :tenantId AND k.id = :id
    UNION
    SELECT k.id FROM adopted a JOIN api_keys k ON k.tenant_id = :tenantId AND k.created_by = a.id
  )
  UPDATE api_keys k SET root = decode(:root, 'hex'), member_id = :memberId::uuid, expires_at = least(k.expires_at, :expiresAt::timestamptz),
    created_by = CASE WHEN k.id = :id THEN :createdBy::uuid ELSE k.created_by END
  FROM adopted a WHERE k.tenant_id = :tenantId AND k.id = a.id AND NOT EXISTS (SELECT FROM adopted WHERE id = :createdBy::uuid)
  RETURNING k.id`,
);

/** Deletes the keys that a member made, directly or through others. Returns their IDs. */
export const REVOKE_OF_MEMBER = statement<{ memberId: string }, { id: string }>()(
  'keys.revoke_of_member',
  `WITH revoked AS (
    DELETE FROM api_keys WHERE tenant_id = :tenantId AND member_id = :memberId RETURNING id
  ), unused AS (
    DELETE FROM key_uses u USING revoked r WHERE u.tenant_id = :tenantId AND u.key_id = r.id
  )
  SELECT id FROM revoked`,
);

export const LIST_KEYS = statement<NoParameters, KeyRow>()(
  'keys.list',
  `SELECT id, name, scopes, locales, created_by AS "createdBy", encode(root, 'hex') AS root, member_id AS "memberId", created_at AS "createdAt", expires_at AS "expiresAt"
    FROM api_keys WHERE tenant_id = :tenantId AND (expires_at IS NULL OR expires_at > now()) ORDER BY id DESC`,
);

export const LIST_USES = statement<NoParameters, { id: string; lastUsedAt: string }>()(
  'keys.list_uses',
  'SELECT key_id AS id, last_used_at AS "lastUsedAt" FROM key_uses WHERE tenant_id = :tenantId',
);

/** Stores when keys were used. `configured` are those that have no row. A key that was revoked meanwhile leaves none. */
export const STORE_USES = write<
  { ids: readonly string[]; times: readonly string[]; configured: readonly string[] },
  never
>()('keys.store_uses', [
  part(
    'used',
    `SELECT used.id, used.at FROM unnest(:ids::uuid[], :times::timestamptz[]) AS used (id, at)
    WHERE used.id = ANY (:configured::uuid[])
      OR EXISTS (SELECT FROM api_keys k WHERE k.tenant_id = :tenantId AND k.id = used.id)
    ORDER BY used.id`,
    { returns: { id: 'uuid', at: 'timestamptz' }, isMany: true },
  ),
  insert(
    'stored',
    `INSERT INTO key_uses AS u (tenant_id, key_id, last_used_at)
      SELECT :tenantId, used.id, used.at
      FROM used
      ON CONFLICT (tenant_id, key_id) DO UPDATE SET last_used_at = excluded.last_used_at
    WHERE u.last_used_at < excluded.last_used_at`,
    { computes: true },
  ),
]);
