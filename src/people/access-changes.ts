import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import type { Transaction } from '../database/transaction.js';
import { afterCommit } from '../database/unit-of-work.js';
import { BEGIN_ACCESS_CHANGE } from '../keys/access-changes.sql.js';
import { AccessWatch } from '../keys/access-watch.js';
import { type Creation, Limits } from '../tenants/limits.js';

interface ChangeOptions {
  /** What is locked before the access lock of the tenant: the person, and the person's sessions. */
  first?: (transaction: Transaction) => Promise<void>;
  /** What the change adds to what the tenant has. */
  creation?: Creation;
}

/**
 * Changes of roles and memberships, which are in effect in every process within a second.
 *
 * Everything that changes people, sessions or memberships locks in this order, so that no transaction waits for one that waits for it:
 *
 * 1. the limit of the tenant (`Limits.within`);
 * 2. the person: `LOCK_PERSON`, or the address of a new one (`INSERT_PERSON`);
 * 3. the sessions of the person;
 * 4. the access lock of the tenant (`BEGIN_ACCESS_CHANGE`, `ANNOUNCE_ENDED_SESSIONS`), of several tenants in the order of their IDs;
 * 5. rows of the tenant: members, roles, keys, letters, audit records;
 * 6. passkeys;
 * 7. one-time tokens. Who writes one also locks some that have expired, of anybody.
 *
 * Steps may be left out, but not swapped. What was read before the access lock was granted is read again.
 */
@Injectable()
export class AccessChanges {
  constructor(
    private readonly database: Database,
    private readonly limits: Limits,
    private readonly watch: AccessWatch,
  ) {}

  /** Runs `work` with the access lock of the tenant, and commits. Brings this process up to date before it resolves. */
  async run<Result>(
    tenantId: string,
    work: (transaction: Transaction) => Promise<Result>,
    { first, creation }: ChangeOptions = {},
  ): Promise<Result> {
    const change = async (transaction: Transaction) => {
      await first?.(transaction);
      await transaction.query(tenantId, BEGIN_ACCESS_CHANGE, {});
      return work(transaction);
    };
    const result = await (creation
      ? this.limits.within(creation, change)
      : this.database.transaction(tenantId, change));
    await afterCommit(() => this.watch.changed());
    return result;
  }
}
