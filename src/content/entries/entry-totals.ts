import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Composed } from '../../database/bindings.js';
import { TenantCache } from '../../tenants/tenant-cache.js';

/** A total, and the state of the type's entries in which it was counted. */
export interface KnownTotal {
  total: number;
  state: number;
}

/** A row of a list whose total was counted. `state` is null if the total is too small to be kept. */
export interface CountedRow {
  typeVersion: number | null;
  total: number | null;
  state?: number | null;
}

/** Totals up to this number are counted each time, which takes about a millisecond. */
export const MIN_KNOWN = 1_000;

const CACHE_BYTES = 8 * 1024 * 1024;
/** Memory of a total and its key, about. */
const BYTES = 400;

/**
 * Keeps totals that took long to count. A list passes the known total to its statement, which uses it only if the entries of the
 * type, and of those that the conditions look at, have not changed since. The statement reads their state in the same snapshot as the page, so totals stay exact, whichever process writes.
 */
@Injectable()
export class EntryTotals {
  private readonly cache = new TenantCache<KnownTotal>(CACHE_BYTES);

  /** Returns what is known, maybe of an earlier state. */
  get(tenantId: string, key: string): KnownTotal | undefined {
    return this.cache.get(tenantId, key);
  }

  /** Remembers the total of a row, if counting it took long. */
  keep(tenantId: string, key: string, { total, state }: CountedRow): void {
    if (total === null || state === undefined || state === null) this.forget(tenantId, key);
    else this.cache.set(tenantId, key, { total, state }, BYTES);
  }

  forget(tenantId: string, key: string): void {
    this.cache.delete(tenantId, key);
  }
}

/**
 * Identifies a total by the statement that counts it, whose first value is the content type. The versions of the type and of
 * those that the conditions look at belong to it because
 * a change of the schema rewrites index rows, which does not count as a change of entries.
 */
export function totalKey(versions: readonly number[], { text, values }: Composed): string {
  return hash('sha256', JSON.stringify([versions, text, values]), 'base64');
}
