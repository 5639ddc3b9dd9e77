import { Injectable } from '@nestjs/common';
import type { LimitName } from '../config/tenants-config.js';
import { Database } from '../database/database.js';
import type { Executor, Transaction } from '../database/transaction.js';
import type { NoParameters, Statement } from '../database/statements/statement.js';
import { Problem, type ProblemMembers } from '../errors/problem.js';
import { LOCK_LIMITS, LOCK_BATCHES, LOCK_LIMITS_SHARED } from './limits.sql.js';
import { Tenants } from './tenants.js';

/** Something that a tenant's configuration limits. */
export interface LimitedResource {
  readonly name: Exclude<LimitName, 'requests_per_minute'>;
  /** Reads how much the tenant has. */
  readonly used: Statement<NoParameters, Used>;
  /** The most that a single creation adds. */
  readonly single: number;
  /** The most that a batch of creations adds; 0 if there are no batches. */
  readonly batch: number;
}

export interface Used {
  used: number;
}

export interface Creation {
  tenantId: string;
  resource: LimitedResource;
  /** How much it adds. */
  amount: number;
  /** Whose share of the connections it uses; the default is the tenant's. */
  share?: string;
  /** The request has no API key, so it learns no numbers. */
  isPublic?: boolean;
}

/** What a transaction may add. `isAdmitted` is false if it must be rolled back, and tried again exclusively or with a smaller amount. */
interface Admission {
  isAdmitted: boolean;
  /** How much the tenant may add. Exact in an exclusive transaction. */
  room: number;
}

const UNLIMITED: Admission = { isAdmitted: true, room: Infinity };

const NOUNS: Record<LimitedResource['name'], string> = {
  entries: 'entries',
  submissions: 'submissions',
  media_bytes: 'bytes of files',
  content_types: 'content types',
  webhooks: 'webhooks',
  users: 'members',
};

/**
 * Keeps creations within the limits of the tenants' configuration (docs/decisions/limits.md). Without a limit, a creation costs nothing.
 *
 * Far from the limit, creations share a lock, and each makes sure that there is room for all that the others in progress could add. Near the
 * limit they are exclusive: one runs at a time.
 */
@Injectable()
export class Limits {
  /** The limits that were near when this process last looked, by tenant and name. It only decides what is tried first. */
  private readonly near = new Set<string>();

  constructor(
    private readonly tenants: Tenants,
    private readonly database: Database,
  ) {}

  /** Returns the limit; undefined if there is none. */
  of(tenantId: string, { name }: LimitedResource): number | undefined {
    return this.tenants.find(tenantId)?.limits?.[name];
  }

  /** Returns how much the tenant may add now. It is negative if the limit was lowered, and Infinity without a limit. */
  async room({ tenantId, resource, share }: Creation): Promise<number> {
    const limit = this.of(tenantId, resource);
    if (limit === undefined) return Infinity;
    const [row] = await this.database.query(tenantId, resource.used, {}, share);
    return limit - (row?.used ?? 0);
  }

  /** Throws a 403 if there is no room for the creation now. Before work that would be done for nothing. */
  async assertRoom(creation: Creation): Promise<void> {
    const room = await this.room(creation);
    if (creation.amount > room) throw this.reached(creation, room);
  }

  /** Returns an executor for the one statement of a creation. It throws a 403 if the limit is reached. */
  executor(creation: Creation): Executor {
    const { tenantId, resource, share } = creation;
    if (this.of(tenantId, resource) !== undefined) {
      return {
        query: (id, statement, parameters) => this.within(creation, (one) => one.query(id, statement, parameters)),
      };
    }
    if (share === undefined) return this.database;
    return { query: (id, statement, parameters) => this.database.query(id, statement, parameters, share) };
  }

  /**
   * Runs creations of a tenant in a transaction, as `Database.transaction` does. Throws a 403 if a limit is reached. Creations of several
   * resources must always have the same order, so that none waits for another that waits for it.
   */
  async within<Result>(
    creations: Creation | readonly [Creation, ...Creation[]],
    work: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    const all = [creations].flat();
    const { tenantId, share } = all[0]!;
    const limited = all.filter(({ resource }) => this.of(tenantId, resource) !== undefined);
    if (limited.length === 0) return this.database.transaction(tenantId, work, share);
    const near = limited.filter((creation) => this.isNear(creation));
    // Without this, requests beyond the limit would wait for each other.
    for (const creation of near) await this.assertRoom(creation);
    const attempt = (isExclusive: boolean) =>
      this.database.attempt(tenantId, () =>
        this.database.transaction(
          tenantId,
          async (transaction) => {
            for (const creation of limited) {
              const { isAdmitted, room } = await this.enter(transaction, creation, isExclusive);
              if (isAdmitted) continue;
              if (isExclusive) throw this.reached(creation, room);
              return undefined;
            }
            return { result: await work(transaction) };
          },
          share,
        ),
      );
    const done = (near.length > 0 ? undefined : await attempt(false)) ?? (await attempt(true));
    if (!done) throw new Error('An exclusive creation was neither admitted nor refused.');
    return done.result;
  }

  /** Whether creations should be exclusive at once. */
  isNear(creation: Creation): boolean {
    return this.near.has(keyOf(creation));
  }

  /**
   * Admits a creation in its transaction, before its other statements. The locks are held until the end of the transaction. A transaction
   * that is not admitted must be rolled back, and then be tried exclusively.
   */
  async enter(transaction: Transaction, creation: Creation, isExclusive: boolean): Promise<Admission> {
    const { tenantId, resource, amount } = creation;
    const { name, single, batch } = resource;
    const limit = this.of(tenantId, resource);
    if (limit === undefined) return UNLIMITED;
    if (amount > single) await transaction.query(tenantId, LOCK_BATCHES, { name });
    const [lock] = await transaction.query(tenantId, isExclusive ? LOCK_LIMITS : LOCK_LIMITS_SHARED, { name });
    // A statement of its own, so that it sees what was committed before the lock was granted.
    const [row] = await transaction.query(tenantId, resource.used, {});
    const room = limit - (row?.used ?? 0);
    const others = (lock?.connections ?? Infinity) * single + batch;
    const isFar = room - amount >= others;
    if (isFar) this.near.delete(keyOf(creation));
    else this.near.add(keyOf(creation));
    return { isAdmitted: isFar || (isExclusive && amount <= room), room };
  }

  /** Returns a 403. With an API key, it says which limit is reached, and how much there is. */
  reached({ tenantId, resource, amount, isPublic }: Creation, room: number): Problem {
    const { name } = resource;
    const refused = (detail: string, numbers?: ProblemMembers) =>
      new Problem('limit_reached', detail, undefined, undefined, { limit: name, ...numbers });
    if (isPublic) return refused('No more submissions are accepted at the moment.');
    const limit = this.of(tenantId, resource) ?? 0;
    const noun = NOUNS[name];
    const detail = `The limit of ${limit} ${noun} is reached: the tenant has ${limit - room}, and this would add ${amount}.`;
    return refused(detail, { maximum: limit, used: limit - room });
  }
}

function keyOf({ tenantId, resource }: Creation): string {
  return `${tenantId} ${resource.name}`;
}
