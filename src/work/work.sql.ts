import { type NoParameters, serviceStatement, statement } from '../database/statements/statement.js';
import type { Job } from '../queues/job.js';

/*
 * What all tables of work have in common: the columns `status`, `attempts`, `next_attempt_at`, `claimed_until` and `finished_at`, and the
 * statements that use them. PostgreSQL may plan each statement only once, possibly while the tables are still empty, so each lookup can be
 * served by one index only: that of the pending rows by tenant and `next_attempt_at`.
 */

/** True if the row `alias` is pending and no worker has claimed it. */
export function isFree<const Alias extends string>(alias: Alias) {
  return `${alias}.status = 'pending' AND (${alias}.claimed_until IS NULL OR ${alias}.claimed_until <= now())` as const;
}

export function isDue<const Alias extends string>(alias: Alias) {
  return `${isFree(alias)} AND ${alias}.next_attempt_at <= now()` as const;
}

/**
 * The common table expressions `due` and `claimed`, which claim at most `:limit` due rows for `:leaseMs` and return their columns. `where`
 * is a further condition on the row `w`, `limit` replaces the number of rows, and `set` sets further columns. Two workers never claim the same
 * row: each skips rows that another one is claiming.
 *
 * The rows are updated at the place where they were found and locked. In the collation POSIX the tenant has no index, because an index by
 * tenant alone would seem cheaper as long as tenants have few rows, and read all of them.
 */
export function claimDue<
  const Table extends string,
  const Where extends string = '',
  const Limit extends string = ':limit::integer',
  const Set extends string = '',
>({ table }: { table: Table }, where?: Where, { limit, set }: { limit?: Limit; set?: Set } = {}) {
  return `due AS (
      SELECT w.ctid AS place FROM ${table} w
      WHERE w.tenant_id = :tenantId AND ${isDue('w')} ${(where ?? '') as Where}
      ORDER BY w.next_attempt_at LIMIT ${(limit ?? ':limit::integer') as Limit} FOR UPDATE SKIP LOCKED
    ), claimed AS (
      UPDATE ${table} w SET claimed_until = now() + :leaseMs::integer * interval '1 millisecond'${(set ?? '') as Set}
      WHERE w.tenant_id = :tenantId COLLATE "POSIX" AND w.ctid = ANY (ARRAY(SELECT place FROM due))
      RETURNING w.*
    )` as const;
}

/**
 * The columns that `SETTLED` needs besides `status`, made of the `status` and the `pause_ms` of results. Citus refuses an update that computes
 * a time of its source itself.
 */
export const SETTLING_TIMES = `now() + pause_ms * interval '1 millisecond' AS next_attempt_at, CASE WHEN status <> 'pending' THEN now() END AS finished_at`;

/** Sets the columns of the row `w` for the result `r` of an attempt. */
export const SETTLED = `status = r.status, attempts = w.attempts + 1, claimed_until = NULL, next_attempt_at = r.next_attempt_at,
        finished_at = r.finished_at`;

/** Each array has one element for each row. */
export interface Release {
  ids: readonly string[];
  claimedUntil: readonly string[];
}

interface Settle<Status extends string> extends Release {
  statuses: readonly Status[];
  /** Milliseconds until the next attempt; null if there is no further attempt. */
  pausesMs: readonly (number | null)[];
  /** Null leaves the error of an earlier attempt. */
  errors: readonly (string | null)[];
}

/** Releases claims that were not used. */
export function releaseStatement(prefix: string, { table, key }: { table: string; key: string }) {
  return statement<Release, never>()(
    `${prefix}.release`,
    `UPDATE ${table} w SET claimed_until = NULL
      FROM unnest(:ids::uuid[], :claimedUntil::timestamptz[]) AS r (id, claimed_until)
      WHERE w.tenant_id = :tenantId AND w.${key} = ANY (:ids) AND w.${key} = r.id AND w.claimed_until = r.claimed_until`,
  );
}

/**
 * The statements of a table whose rows have a `last_error`. `prefix` leads their names. `Done` is the status of rows that need no further
 * attempt, besides `failed`. The columns `cleared` become null when a row needs no further attempt.
 */
export function workStatements<Done extends string>(
  prefix: string,
  { table, key }: { table: string; key: string },
  cleared: readonly string[] = [],
) {
  const clearing = cleared.map((column) => `, ${column} = CASE WHEN r.status = 'pending' THEN w.${column} END`);
  return {
    release: releaseStatement(prefix, { table, key }),
    /**
     * Records the results of attempts. A success is recorded even if the claim has expired, so that the work is not done again. Another
     * result is not, because another worker may have claimed the row.
     */
    settle: statement<Settle<Done | 'pending' | 'failed'>, never>()(
      `${prefix}.settle`,
      `WITH result AS (
          SELECT id, claimed_until, status, error, ${SETTLING_TIMES}
          FROM unnest(:ids::uuid[], :claimedUntil::timestamptz[], :statuses::text[], :pausesMs::float8[], :errors::text[])
            AS r (id, claimed_until, status, pause_ms, error)
        )
        UPDATE ${table} w SET ${SETTLED}, last_error = coalesce(r.error, w.last_error)${clearing.join('')} FROM result r
        WHERE w.tenant_id = :tenantId AND w.${key} = ANY (:ids) AND w.${key} = r.id AND w.status = 'pending'
          AND (r.status NOT IN ('pending', 'failed') OR w.claimed_until = r.claimed_until)`,
    ),
    tenantsWithDue: serviceStatement<NoParameters, Job>()(
      `${prefix}.tenants_with_due`,
      `SELECT t.id AS "tenantId" FROM tenants t
        WHERE EXISTS (SELECT 1 FROM ${table} w WHERE w.tenant_id = t.id AND ${isDue('w')})`,
    ),
  };
}

/** Finds out whether a tenant has due rows in the table. */
export function hasDueStatement(prefix: string, { table }: { table: string }) {
  return statement<NoParameters, unknown>()(
    `${prefix}.has_due`,
    `SELECT 1 FROM ${table} w WHERE w.tenant_id = :tenantId AND ${isDue('w')} LIMIT 1`,
  );
}
