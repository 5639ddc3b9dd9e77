import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import type { Transaction } from '../database/transaction.js';
import { Problem } from '../errors/problem.js';
import type { Answer } from './answer.js';
import {
  FIND_ANSWER,
  KEEP_ANSWER,
  LOCK_KEY,
  type NewAnswer,
  type OwnedKey,
  PRUNE_ANSWERS,
  type StoredAnswer,
  TENANTS_WITH_EXPIRED,
} from './stored-responses.sql.js';

/** A key of a tenant. */
export interface KeyName extends OwnedKey {
  tenantId: string;
  /** Whose share of the connections the request uses. */
  share: string;
}

/** Another request with the same key has succeeded meanwhile. What this one did must be rolled back. */
export class KeptMeanwhile extends Error {
  override readonly name = 'KeptMeanwhile';
}

/** The answers to requests with an `Idempotency-Key`, and the locks of keys. */
@Injectable()
export class StoredResponses {
  constructor(private readonly database: Database) {}

  async find({ tenantId, owner, key, share }: KeyName): Promise<StoredAnswer | undefined> {
    const [found] = await this.database.query(tenantId, FIND_ANSWER, { owner, key }, share);
    return found;
  }

  /**
   * Locks the key for a transaction, and returns the time of the transaction. Throws a 409 if another one has locked it, and `KeptMeanwhile`
   * if an answer is kept.
   */
  async lock(transaction: Transaction, { tenantId, owner, key }: KeyName): Promise<string> {
    const [lock] = await transaction.query(tenantId, LOCK_KEY, { owner, key });
    if (lock?.isKept) throw new KeptMeanwhile();
    if (!lock?.isLocked) throw stillInProgress();
    return lock.now;
  }

  /** Keeps the answer in the transaction of the change, whose time is `now`. Throws `KeptMeanwhile` if there is another one. */
  async keep(
    transaction: Transaction,
    { tenantId, owner, key }: KeyName,
    now: string,
    { request, status, headers, body, location, resource }: Omit<Answer, 'body'> & Omit<NewAnswer, 'headers'>,
  ): Promise<void> {
    const answer = { request, status, headers: JSON.stringify(headers), body, location, resource };
    const kept = await transaction.query(tenantId, KEEP_ANSWER, { owner, key, now, ...answer });
    if (kept.length === 0) throw new KeptMeanwhile();
  }

  async tenantsWithExpired(): Promise<{ tenantId: string }[]> {
    return this.database.acrossTenants(TENANTS_WITH_EXPIRED, {});
  }

  /** Deletes up to `limit` expired answers, and returns their number. */
  async prune(tenantId: string, limit: number): Promise<number> {
    return (await this.database.query(tenantId, PRUNE_ANSWERS, { limit })).length;
  }
}

export function stillInProgress(): Problem {
  const detail = 'A request with this Idempotency-Key is still in progress.';
  return new Problem('conflict', detail, undefined, { 'Retry-After': '1' });
}
