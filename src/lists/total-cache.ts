import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Bindings, Composed } from '../database/statements/bindings.js';
import { TenantCache } from '../admission/tenant-cache.js';

/** A total, and the state in which it was counted: that of the type's entries, or of the form's submissions. */
export interface CachedTotal {
  total: number;
  state: number;
}

/** A row of a list whose total was counted. `state` is null if the total is too small to be kept. */
export interface CountedRow {
  total?: number | null;
  state?: number | null;
}

/** Totals up to this number are counted each time, which takes about a millisecond. */
const MIN_KNOWN = 1_000;

const CACHE_BYTES = 8 * 1024 * 1024;
/** Memory of a total and its key, about. */
const BYTES = 400;

/**
 * Keeps totals that took long to count. A list passes the known total to its statement, which uses it only if nothing that the conditions look
 * at has changed since. The statement reads the state in the same snapshot as the page, so totals stay exact, whichever process writes.
 */
@Injectable()
export class TotalCache {
  private readonly cache = new TenantCache<CachedTotal>(CACHE_BYTES);

  /** Returns what is known, maybe of an earlier state. */
  get(tenantId: string, key: string): CachedTotal | undefined {
    return this.cache.get(tenantId, key);
  }

  /** Remembers the total of a row, if counting it took long. */
  keep(tenantId: string, key: string, { total, state }: CountedRow): void {
    if (total === null || total === undefined || state === undefined || state === null) this.forget(tenantId, key);
    else this.cache.set(tenantId, key, { total, state }, BYTES);
  }

  forget(tenantId: string, key: string): void {
    this.cache.delete(tenantId, key);
  }
}

/**
 * Identifies a total by the statement that counts it. The versions of the schemas that it looks at belong to it because a change of a schema
 * rewrites index rows, which does not change the state.
 */
export function totalKey(versions: readonly number[], { text, values }: Composed): string {
  return hash('sha256', JSON.stringify([versions, text, values]), 'base64');
}

/** SQL of a row with `total` and `state`, which counts only if the state is not the known one. `count` and `state` are scalar subqueries. */
export function selectTotal(bindings: Bindings, count: string, state: string, known: CachedTotal | undefined): string {
  if (!known) {
    return `SELECT c.total, CASE WHEN c.total > ${MIN_KNOWN} THEN ${state} END AS state FROM (SELECT ${count} AS total OFFSET 0) c`;
  }
  // A subquery that a CASE does not reach is not run.
  return `SELECT s.state, CASE WHEN s.state = ${bindings.add(known.state)}::bigint THEN ${bindings.add(known.total)}::bigint
    ELSE ${count} END AS total FROM (SELECT ${state} AS state OFFSET 0) s`;
}
