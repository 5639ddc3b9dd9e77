import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { FairQueue } from '../../admission/fair-queue.js';
import { KeyedMutex } from '../../admission/keyed-mutex.js';
import { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transaction.js';
import { isLockTimeout } from '../../errors/database-problem.js';
import { Problem } from '../../errors/problem.js';

/** A change waits this long for other changes in this process, and then this long for those of other processes. */
const WAIT_MS = 30_000;

/** Maximum numbers of changes that wait for a content type, and of entry writes that wait for a change. */
const MAX_WAITING = { changes: 20, writes: 500 };

/** A transaction waits this long for a lock, then releases its connection and pauses. The wait doubles each time, up to `most`. */
const LOCK_MS = { least: 250, most: 4_000 };

/** A change that reads no entry, and one that may read (or delete) all of them. */
export type Extent = 'type' | 'entries';

/**
 * Runs changes and deletions of content types: one at a time for a type, and few at a time for a tenant and for the process. They wait here
 * before they take a database connection, because a transaction that waits for a lock would hold one. Entry writes wait here too.
 */
@Injectable()
export class SchemaChangeQueue {
  private readonly byType = new KeyedMutex({ maxWaiting: MAX_WAITING.changes, waitMs: WAIT_MS, refusal });
  private readonly queues: Record<Extent, FairQueue> = { type: queueOf(4), entries: queueOf(2) };
  /** Running changes that hold, or will soon hold, the lock of their type for a long time. */
  private readonly inProgress = new Map<string, { end: Promise<void>; waiting: number }>();

  constructor(private readonly database: Database) {}

  /** Runs the change in a transaction, and starts again after each lock time-out. Throws a 503 if it cannot begin in time. */
  async run<Result>(
    tenantId: string,
    typeId: string,
    extent: Extent,
    change: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    const key = keyOf(tenantId, typeId);
    return this.byType.run(key, () =>
      this.queues[extent].run(tenantId, async () => {
        const result = this.withLock(tenantId, change);
        if (extent === 'entries') this.announce(key, result);
        return result;
      }),
    );
  }

  /** Runs work that reads the entries of a type as a change would, in a transaction that is then rolled back. It locks nothing. */
  async simulate<Result>(
    tenantId: string,
    typeId: string,
    work: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    return this.byType.run(keyOf(tenantId, typeId), () =>
      this.queues.entries.run(tenantId, async () => {
        const results: Result[] = [];
        const simulated = new Error('The transaction of a simulation is rolled back.');
        await this.database
          .transaction(tenantId, async (transaction) => {
            await transaction.extendStatementTimeout();
            results.push(await work(transaction));
            throw simulated;
          })
          .catch((error: unknown) => {
            if (error !== simulated) throw error;
          });
        return results[0] as Result;
      }),
    );
  }

  /** Whether entry writes of the type would have to wait for a lock. */
  isInProgress(tenantId: string, typeId: string): boolean {
    return this.inProgress.size > 0 && this.inProgress.has(keyOf(tenantId, typeId));
  }

  /** Resolves when the running change has ended. Throws a 503 if that takes too long or too many writes wait. */
  async ended(tenantId: string, typeId: string): Promise<void> {
    const change = this.inProgress.get(keyOf(tenantId, typeId));
    if (!change) return;
    if (change.waiting >= MAX_WAITING.writes) throw refusal();
    change.waiting++;
    const abort = new AbortController();
    const late = sleep(WAIT_MS, undefined, { signal: abort.signal }).then(() => {
      throw refusal();
    });
    try {
      await Promise.race([change.end, late]);
    } finally {
      change.waiting--;
      abort.abort();
    }
  }

  private announce(key: string, change: Promise<unknown>): void {
    const ended = () => void this.inProgress.delete(key);
    this.inProgress.set(key, { end: change.then(ended, ended), waiting: 0 });
  }

  private async withLock<Result>(
    tenantId: string,
    change: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    const deadline = performance.now() + WAIT_MS;
    for (let lockMs = LOCK_MS.least; ; lockMs = Math.min(lockMs * 2, LOCK_MS.most)) {
      try {
        return await this.database.transaction(tenantId, async (transaction) => {
          await transaction.limitLockWaits(lockMs);
          return change(transaction);
        });
      } catch (error) {
        if (!isLockTimeout(error)) throw error;
        if (performance.now() > deadline) throw refusal();
      }
      // Pause longer than the connection was held. The jitter keeps processes from retrying at the same time.
      await sleep(lockMs * (1 + Math.random()));
    }
  }
}

/** Includes the tenant, so that a client cannot notice changes of another tenant's content type. */
function keyOf(tenantId: string, typeId: string): string {
  return `${tenantId}/${typeId}`;
}

function queueOf(concurrency: number): FairQueue {
  return new FairQueue({ concurrency, maxWaiting: MAX_WAITING.changes, waitMs: WAIT_MS, refusal });
}

function refusal(): Problem {
  return Problem.unavailable('Another change of the content type is in progress. Try again when it has finished.', 5);
}
