import { serviceStatement, statement } from '../database/statements/statement.js';
import { insert, part, rowOf } from '../database/statements/write.js';
import type { Job } from '../queues/job.js';

/**
 * The part `put_due` of a write, which puts work for each row of the part `source`, or once if there is no `source`. `key` and `at` are
 * SQL expressions of the row. Work of the same key is replaced; a worker that has claimed it can no longer settle it. `computes` is
 * for times that are columns of several rows (see `insert`).
 */
export function putJob<
  const Kind extends string,
  const Key extends string,
  const At extends string,
  const Source extends string = never,
>(source: Source | undefined, work: { kind: Kind; key: Key; at: At }, { computes = false } = {}) {
  return insert(
    'put_due',
    `${put(source, work)}
    ON CONFLICT (tenant_id, kind, key)
    DO UPDATE SET due_at = excluded.due_at, next_at = excluded.next_at, claim = NULL, attempts = 0`,
    { computes },
  );
}

function put<const Kind extends string, const Key extends string, const At extends string, const Source extends string>(
  source: Source | undefined,
  { kind, key, at }: { kind: Kind; key: Key; at: At },
) {
  const row = rowOf(`:tenantId, '${kind}', ${key}, ${at}, ${at}, 0`, source);
  return `INSERT INTO scheduled_jobs AS w (tenant_id, kind, key, due_at, next_at, attempts) ${row}` as const;
}

/**
 * Like `putJob`, but never puts work off: work of the same key stays if it is due earlier, and a claim of it holds. The row is locked until
 * the commit either way, so a worker that settles the work in a transaction of its own afterwards reads what this one has written.
 */
export function putJobBy<
  const Kind extends string,
  const Key extends string,
  const At extends string,
  const Source extends string,
>(source: Source, work: { kind: Kind; key: Key; at: At }) {
  return insert(
    'put_due',
    `${put(source, work)}
    ON CONFLICT (tenant_id, kind, key) DO UPDATE SET due_at = excluded.due_at, next_at = excluded.next_at
      WHERE w.claim IS NULL AND w.next_at > excluded.next_at`,
  );
}

/** The part `removed_due` of a write, which removes work that is no longer needed, for each row of the part `source`. */
export function removeJob<const Source extends string, const Kind extends string, const Key extends string>(
  source: Source,
  { kind, key }: { kind: Kind; key: Key },
) {
  return part(
    'removed_due',
    `DELETE FROM scheduled_jobs w USING ${source} WHERE w.tenant_id = :tenantId AND w.kind = '${kind}' AND w.key = ${key}`,
    { of: source },
  );
}

/** A claim of work. */
interface Claimed {
  kind: string;
  key: string;
  claim: string;
}

/**
 * The part `settled_due` of a write, which removes the work whose effect the write is, if the part `source` has a row and the claim still
 * holds, and then has one row. The write takes `:key` and `:claim`.
 */
export function settleJob<const Source extends string, const Kind extends string>(
  source: Source,
  { kind }: { kind: Kind },
) {
  return part(
    'settled_due',
    `DELETE FROM scheduled_jobs w USING ${source}
    WHERE w.tenant_id = :tenantId AND w.kind = '${kind}' AND w.key = :key AND w.claim = :claim
    RETURNING 1`,
    { of: source },
  );
}

export const FINISH = statement<Claimed, object>()(
  'scheduled_jobs.finish',
  'DELETE FROM scheduled_jobs WHERE tenant_id = :tenantId AND kind = :kind AND key = :key AND claim = :claim RETURNING 1',
);

export const MOVE = statement<Claimed & { at: string }, object>()(
  'scheduled_jobs.move',
  `UPDATE scheduled_jobs SET due_at = :at::timestamptz, next_at = :at::timestamptz, claim = NULL, attempts = 0
    WHERE tenant_id = :tenantId AND kind = :kind AND key = :key AND claim = :claim RETURNING 1`,
);

export interface ClaimedRow {
  /** The key. */
  id: string;
  /** ISO 8601. */
  dueAt: string;
  attempts: number;
}

/** Claims at most `:limit` due rows. Two workers never claim the same row: each skips rows that another one is claiming. */
export const CLAIM_SCHEDULED_JOBS = statement<
  { kind: string; claim: string; limit: number; leaseMs: number },
  ClaimedRow
>()(
  'scheduled_jobs.claim',
  `WITH due AS (
      SELECT key FROM scheduled_jobs WHERE tenant_id = :tenantId AND kind = :kind AND next_at <= now()
      ORDER BY next_at LIMIT :limit::integer FOR UPDATE SKIP LOCKED
    )
    UPDATE scheduled_jobs w SET claim = :claim::uuid, next_at = now() + :leaseMs::integer * interval '1 millisecond'
    WHERE w.tenant_id = :tenantId AND w.kind = :kind AND w.key = ANY (ARRAY(SELECT key FROM due))
    RETURNING w.key AS id, w.due_at AS "dueAt", w.attempts`,
);

/** Each array has one element for each claim. */
interface Claims {
  kinds: readonly string[];
  keys: readonly string[];
  claims: readonly string[];
}

/** Releases claims that were not used. */
export const RELEASE_SCHEDULED_JOBS = statement<Claims, never>()(
  'scheduled_jobs.release',
  `UPDATE scheduled_jobs w SET next_at = w.due_at, claim = NULL
    FROM unnest(:kinds::text[], :keys::uuid[], :claims::uuid[]) AS r (kind, key, claim)
    WHERE w.tenant_id = :tenantId AND w.kind = ANY (:kinds) AND w.key = ANY (:keys)
      AND w.kind = r.kind AND w.key = r.key AND w.claim = r.claim`,
);

/** Releases claims whose attempts failed. The next attempts follow after pauses. */
export const PAUSE = statement<Claims & { pausesMs: readonly number[] }, never>()(
  'scheduled_jobs.pause',
  `WITH result AS (
      SELECT kind, key, claim, now() + pause_ms * interval '1 millisecond' AS next_at
      FROM unnest(:kinds::text[], :keys::uuid[], :claims::uuid[], :pausesMs::float8[]) AS r (kind, key, claim, pause_ms)
    )
    UPDATE scheduled_jobs w SET next_at = r.next_at, claim = NULL, attempts = w.attempts + 1 FROM result r
    WHERE w.tenant_id = :tenantId AND w.kind = ANY (:kinds) AND w.key = ANY (:keys)
      AND w.kind = r.kind AND w.key = r.key AND w.claim = r.claim`,
);

/** One look into the index for each tenant and kind. */
export const TENANTS_WITH_DUE_JOBS = serviceStatement<{ kinds: readonly string[] }, Job>()(
  'scheduled_jobs.tenants_with_due',
  `SELECT t.id AS "tenantId" FROM tenants t
    WHERE (SELECT true FROM scheduled_jobs w WHERE w.tenant_id = t.id AND w.kind = ANY (:kinds::text[]) AND w.next_at <= now() LIMIT 1)`,
);

/** The kinds of which the tenant has scheduled jobs. */
export const DUE_KINDS = statement<{ kinds: readonly string[] }, { kind: string }>()(
  'scheduled_jobs.due_kinds',
  `SELECT k.kind FROM unnest(:kinds::text[]) AS k (kind) CROSS JOIN LATERAL (
      SELECT 1 FROM scheduled_jobs w WHERE w.tenant_id = :tenantId AND w.kind = k.kind AND w.next_at <= now() LIMIT 1
    ) AS w`,
);
