import { type NoParameters, serviceStatement, statement } from '../database/statements/statement.js';

/** A key, and whom it belongs to: the ID of a resource, or empty for the tenant. */
export interface OwnedKey {
  owner: string;
  key: string;
}

/** An answer as it is stored. */
export interface StoredAnswer {
  /** SHA-256 of the request, in hexadecimal digits. */
  request: string;
  status: number;
  /** JSON text. */
  headers: string;
  body: string | null;
  location: string | null;
}

/** An answer to be kept. */
export interface NewAnswer extends StoredAnswer {
  /** The UUID of the resource that it shows. */
  resource: string | null;
}

/** An expired answer counts as absent, even if it was not pruned yet. */
export const FIND_ANSWER = statement<OwnedKey, StoredAnswer>()(
  'stored_responses.find',
  `SELECT encode(request, 'hex') AS request, status, headers, body, location FROM stored_responses
    WHERE tenant_id = :tenantId AND owner = :owner AND key = :key AND expires_at > now()`,
);

/**
 * Locks the key until the end of the transaction, unless another transaction has locked it. The statement may not see an answer that was
 * committed while it waited for nothing: `KEEP_ANSWER` has the last word.
 */
export const LOCK_KEY = statement<OwnedKey, { isLocked: boolean; isKept: boolean; now: string }>()(
  'stored_responses.lock_key',
  `SELECT now(), pg_try_advisory_xact_lock(hashtextextended(:tenantId || ' ' || :owner || ' ' || :key, 0)) AS "isLocked",
    EXISTS (
      SELECT FROM stored_responses WHERE tenant_id = :tenantId AND owner = :owner AND key = :key AND expires_at > now()
    ) AS "isKept"`,
);

/**
 * Keeps an answer for 24 hours, in place of one that has expired at `now`, the time of the transaction. Returns no row if another answer is kept.
 * The time is a parameter because Citus refuses `now()` in this condition.
 */
export const KEEP_ANSWER = statement<OwnedKey & NewAnswer & { now: string }, { kept: number }>()(
  'stored_responses.keep',
  `INSERT INTO stored_responses AS k (tenant_id, owner, key, request, status, headers, body, location, resource, expires_at)
    VALUES (:tenantId, :owner, :key, decode(:request, 'hex'), :status, :headers::text::json, :body, :location, :resource::uuid, now() + interval '24 hours')
    ON CONFLICT (tenant_id, owner, key) DO UPDATE SET request = excluded.request, status = excluded.status,
      headers = excluded.headers, body = excluded.body, location = excluded.location, resource = excluded.resource, expires_at = excluded.expires_at
    WHERE k.expires_at <= :now::timestamptz
    RETURNING 1 AS kept`,
);

/** Returns the tenants that have expired answers. */
export const TENANTS_WITH_EXPIRED = serviceStatement<NoParameters, { tenantId: string }>()(
  'stored_responses.tenants_with_expired',
  `SELECT t.id AS "tenantId" FROM tenants t
    WHERE EXISTS (SELECT 1 FROM stored_responses k WHERE k.tenant_id = t.id AND k.expires_at <= now())`,
);

/** Deletes the oldest of the expired answers. */
export const PRUNE_ANSWERS = statement<{ limit: number }, { key: string }>()(
  'stored_responses.prune',
  `WITH old AS (
      SELECT owner, key FROM stored_responses WHERE tenant_id = :tenantId AND expires_at <= now()
      ORDER BY expires_at LIMIT :limit FOR UPDATE SKIP LOCKED
    )
    DELETE FROM stored_responses k USING old
    WHERE k.tenant_id = :tenantId AND k.owner = old.owner AND k.key = old.key
    RETURNING k.key`,
);

export const ERASE_ANSWERS = statement<{ resourceIds: readonly string[] }, { key: string }>()(
  'stored_responses.erase',
  `UPDATE stored_responses SET body = NULL, location = NULL, headers = '{}', resource = NULL
    WHERE tenant_id = :tenantId AND resource = ANY (:resourceIds::uuid[]) AND resource IS NOT NULL RETURNING key`,
);

/** Removes the answers that say who has done something, as `by` with this name (JSON text). */
export const ERASE_ANSWERS_BY = statement<{ name: string }, { key: string }>()(
  'stored_responses.erase_by',
  `UPDATE stored_responses SET body = NULL, location = NULL, headers = '{}', resource = NULL
    WHERE tenant_id = :tenantId AND strpos(body, '"by":' || :name) > 0 RETURNING key`,
);
