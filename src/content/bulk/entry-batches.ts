import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { FairQueue } from '../../admission/fair-queue.js';
import { heavyWork, isHeavy } from '../../admission/heavy-work.js';
import { otherType } from '../../access/scope-problems.js';
import { Database } from '../../database/database.js';
import type { Executor, Transaction } from '../../database/transaction.js';
import { isLockTimeout } from '../../errors/database-problem.js';
import { Problem } from '../../errors/problem.js';
import type { Caller } from '../../http/caller.js';
import type { IdOrSlug } from '../../ids/id-or-slug.js';
import { newUuid } from '../../ids/type-id.js';
import { type Creation, Limits } from '../../tenants/limits.js';
import { ENTRIES } from '../content-usage.js';
import { Attempts, hasLost } from '../entries/writes/attempts.js';
import { EntryValues } from '../entries/writes/entry-values.js';
import { DictionaryCache } from '../entries/writes/dictionary-cache.js';
import { busy } from '../references/deletion-problems.js';
import { ReferentialActions, type ReferringTypes } from '../references/referential-actions.js';
import { type CompiledType, Schemas } from '../schemas.js';
import { StaleReadError } from '../stale-read.js';
import { TYPE_VERSIONS } from './batch.sql.js';
import { BatchChecks } from './batch-checks.js';
import { BatchCommit } from './batch-commit.js';
import { BatchLookups } from './batch-lookups.js';
import { BatchLocks } from './batch-locks.js';
import { localesOf } from '../locales/tenant-locales.js';
import { type BatchContext, BatchPlan, type NumberedOperation } from './batch-plan.js';
import { type BulkOperation, type Outcome, shownOutcome } from './operation.js';

/** An attempt fails if an entry or a type changes concurrently. */
const MAX_TRIES = 50;
/** After this many attempts, the next ones lock the entries before they read them: others change them all the time. */
const MAX_OPTIMISTIC_TRIES = 3;
/** Longest pause before the next attempt, after the first failure. It grows with each further one, up to ten times as long. */
const PAUSE_MS = 10;
/** A plan is complete after a few rounds of look-ups. Each further one needs an operation that depends on the operation before. */
const MAX_ROUNDS = 100;

/** Batches of all tenants at once. Each holds its entries in memory, and a connection while it writes. */
const ADMISSION = { concurrency: 4, maxWaiting: 50, waitMs: 20_000 };

interface BatchOptions {
  /** Whether nothing is written if an operation fails. */
  isAtomic: boolean;
  isDryRun: boolean;
  /** Whether the operations are so large that work on them must take turns. */
  isHeavy: boolean;
}

/** What the attempts of a batch need. `types` are those of the operations, and those that refer to entries that may be deleted. */
interface Batch {
  tenantId: string;
  /** The number of this attempt, from 1. */
  tries: number;
  isHeavy: boolean;
  isDryRun: boolean;
  operations: readonly NumberedOperation[];
  checks: BatchChecks;
  context: BatchContext;
  types: readonly CompiledType[];
}

/** Not done: a concurrent change won. */
interface Attempt {
  plan?: BatchPlan;
  isDone: boolean;
}

/**
 * Runs many operations on entries as one change. Each validates, emits and versions exactly as its single request does, but all of them take
 * only a few statements: a plan is made in memory, and written in one transaction, also if each operation stands alone.
 */
@Injectable()
export class EntryBatches {
  private readonly admission = new FairQueue({
    ...ADMISSION,
    refusal: () => Problem.unavailable('Too many bulk operations of this tenant are in progress.'),
  });

  constructor(
    private readonly database: Database,
    private readonly schemas: Schemas,
    private readonly values: EntryValues,
    private readonly attempts: Attempts,
    private readonly knownWords: DictionaryCache,
    private readonly guarded: ReferentialActions,
    private readonly limits: Limits,
  ) {}

  /** Returns the outcomes, as far as the caller may know them, in the order of the operations. If the batch is atomic and an operation fails, nothing was written. */
  async run(caller: Caller, operations: readonly BulkOperation[], options: BatchOptions): Promise<Outcome[]> {
    const outcomes = await this.admission.run(caller.tenantId, () => this.retry(caller, operations, options));
    return outcomes.map((outcome) => shownOutcome(caller, outcome));
  }

  private async retry(
    caller: Caller,
    operations: readonly BulkOperation[],
    { isAtomic, isDryRun, isHeavy }: BatchOptions,
  ): Promise<Outcome[]> {
    const { tenantId } = caller;
    const refusedType = caller.types ? otherType(caller.scopes) : Problem.notFound('content type');
    const numbered = operations.map((operation) => ({ ...operation, newId: newUuid() }));
    const checks = new BatchChecks({ tenantId, isHeavy }, this.values);
    const needsLocales = caller.locales !== undefined || operations.some(({ locale }) => locale !== undefined);
    let plan: BatchPlan | undefined;
    for (let tries = 1; tries <= MAX_TRIES; tries++) {
      if (tries > 1) await sleep(Math.random() * PAUSE_MS * Math.min(tries, 10));
      const { types, unknown } = await this.types(caller, operations, tries > 1);
      const typeOf = ({ typeName }: BulkOperation) => typeName && types.get(nameOf(typeName));
      const referringTypes = await this.referringTypes(tenantId, operations, typeOf);
      const context = {
        by: caller,
        triesDrafts: isDryRun && caller.draftsOnly === true,
        isAtomic,
        isHeavy,
        missingType: ({ typeName }: BulkOperation) => (typeName && unknown.get(nameOf(typeName))) ?? refusedType,
        typeOf,
        referringTypes,
        locales: needsLocales ? await localesOf(this.database, tenantId) : undefined,
        ...(await this.room(tenantId)),
      };
      const used = [...types.values(), ...(referringTypes?.values() ?? [])];
      const batch = { tenantId, tries, isHeavy, isDryRun, operations: numbered, checks, context, types: used };
      const locked = tries > MAX_OPTIMISTIC_TRIES && !isDryRun ? plan : undefined;
      const attempt: Attempt = await (locked ? this.attemptLocked(batch, locked) : this.attempt(batch));
      plan = attempt.plan ?? plan;
      if (attempt.isDone && plan) return plan.outcomes.filter((outcome) => outcome !== undefined);
    }
    throw Problem.unavailable('The operations could not be carried out because of too many concurrent changes.');
  }

  /** How many entries the tenant may add, if no other request adds any. */
  private async room(tenantId: string): Promise<Pick<BatchContext, 'room' | 'limitReached'>> {
    const creation = creationOf(tenantId, 1);
    const room = await this.limits.room(creation);
    return { room, limitReached: () => this.limits.reached(creation, room) };
  }

  /**
   * The types that the operations name. Unknown ones are missing, and those that the caller may not change. `unknown` has the problems of unknown
   * names, if the caller may see the slugs that they suggest.
   */
  private async types(
    { tenantId, types: own, visibleTypes }: Caller,
    operations: readonly BulkOperation[],
    isFresh: boolean,
  ): Promise<{ types: Map<string, CompiledType>; unknown: Map<string, Problem> }> {
    const names = new Map<string, IdOrSlug>();
    for (const { typeName } of operations) if (typeName) names.set(nameOf(typeName), typeName);
    const types = new Map<string, CompiledType>();
    const unknown = new Map<string, Problem>();
    for (const [name, typeName] of names) {
      try {
        // Nothing would notice that a cached slug of a type that is left out has changed.
        if (isFresh || own) await this.schemas.fresh(tenantId, typeName);
        const type = await this.attempts.unchangingType(tenantId, typeName);
        if (own?.has(type.id) ?? true) types.set(name, type);
      } catch (problem) {
        if (!(problem instanceof Problem && problem.code === 'not_found')) throw problem;
        if (!own && !visibleTypes) unknown.set(name, problem);
      }
    }
    return { types, unknown };
  }

  /** The types that may refer to entries that the operations delete. */
  private async referringTypes(
    tenantId: string,
    operations: readonly BulkOperation[],
    typeOf: (operation: BulkOperation) => CompiledType | undefined,
  ): Promise<ReferringTypes | undefined> {
    const guarded = new Set<string>();
    for (const operation of operations) {
      const type = operation.op === 'delete' ? typeOf(operation) : undefined;
      if (type?.isGuarded) guarded.add(type.id);
    }
    if (guarded.size === 0) return undefined;
    const types = new Map<string, CompiledType>();
    for (const typeId of guarded) {
      for (const [id, type] of await this.guarded.prepare(tenantId, typeId)) types.set(id, type);
    }
    return types;
  }

  private async attempt(batch: Batch): Promise<Attempt> {
    try {
      const plan = await this.plan(batch, this.database);
      if (!mustWrite(batch, plan)) return { plan, isDone: await areCurrent(this.database, batch) };
      const commit = await BatchCommit.prepare(batch.tenantId, batch.types, plan, this.knownWords);
      const isDone = await this.inTransaction(
        batch,
        async (transaction) => (await this.isWithinLimit(transaction, batch, plan)) && commit.write(transaction),
      );
      if (isDone) this.learn(batch, commit);
      return { plan, isDone };
    } catch (error) {
      if (error instanceof StaleReadError) return { isDone: false };
      throw error;
    }
  }

  /**
   * Locks the entries that the last plan changes, and reads them afterwards, so that nothing else changes them before the commit. The transaction
   * waits for nothing that needs another connection.
   */
  private async attemptLocked(batch: Batch, last: BatchPlan): Promise<Attempt> {
    let plan: BatchPlan | undefined;
    let commit: BatchCommit | undefined;
    const isDone = await this.inTransaction(batch, async (transaction) => {
      // Nothing else adds entries until the commit, so a plan that keeps to the room needs no further check.
      const { room } = await this.limits.enter(transaction, creationOf(batch.tenantId, last.added), true);
      batch.context.room = room;
      await new BatchLocks(batch.tenantId, batch.types, last).take(transaction);
      plan = await this.plan(batch, transaction);
      if (!plan) return false;
      if (!mustWrite(batch, plan)) return areCurrent(transaction, batch);
      commit = await BatchCommit.prepare(batch.tenantId, batch.types, plan, this.knownWords);
      return commit.write(transaction);
    });
    if (isDone && commit) this.learn(batch, commit);
    // A type has changed, so values must be checked again.
    if (!isDone) await batch.checks.load();
    return { plan, isDone };
  }

  /** In a transaction, returns undefined if values must be checked first. */
  private async plan(batch: Batch, executor: Database): Promise<BatchPlan>;
  private async plan(batch: Batch, executor: Executor): Promise<BatchPlan | undefined>;
  private async plan(
    { tenantId, isHeavy: isLarge, operations, checks, context }: Batch,
    executor: Executor,
  ): Promise<BatchPlan | undefined> {
    const lookups = new BatchLookups(executor, tenantId);
    for (let rounds = 1; rounds <= MAX_ROUNDS; rounds++) {
      const heavy = isLarge || isHeavy(lookups.bytes);
      const plan = new BatchPlan({ ...context, isHeavy: heavy }, lookups, checks);
      await heavyWork.runIf(heavy, tenantId, plan.make(operations));
      if (checks.isComplete && lookups.isComplete) return plan;
      if (!checks.isComplete && executor !== this.database) return undefined;
      await checks.load();
      await lookups.load();
    }
    throw new Problem('payload_too_large', 'Too many operations depend on each other. Send fewer operations.');
  }

  /** Whether the tenant may add as many entries as planned. Otherwise the plan must be made again, with the room that is left then. */
  private async isWithinLimit(transaction: Transaction, { tenantId, tries }: Batch, plan: BatchPlan): Promise<boolean> {
    if (plan.added === 0) return true;
    const creation = creationOf(tenantId, plan.added);
    const { isAdmitted } = await this.limits.enter(transaction, creation, tries > 1 || this.limits.isNear(creation));
    return isAdmitted;
  }

  /** Rolls back and returns false if `work` returns false, or a concurrent change won. */
  private async inTransaction(
    { tenantId }: Batch,
    work: (transaction: Transaction) => Promise<boolean>,
  ): Promise<boolean> {
    const isDone = await this.database.attempt(tenantId, async () => {
      try {
        await this.database.transaction(tenantId, async (transaction) => {
          if (!(await work(transaction))) throw new OvertakenError();
        });
        return true;
      } catch (error) {
        if (error instanceof OvertakenError || error instanceof StaleReadError || hasLost(error)) return undefined;
        throw isLockTimeout(error) ? busy() : error;
      }
    });
    return isDone ?? false;
  }

  private learn({ tenantId }: Batch, { learned }: BatchCommit): void {
    for (const [typeId, newWords] of learned) this.knownWords.add(tenantId, typeId, newWords);
  }
}

/** Rolls a transaction back. */
class OvertakenError extends Error {}

function mustWrite({ context, isDryRun }: Batch, { writes, failures }: BatchPlan): boolean {
  return !isDryRun && writes.length > 0 && !(context.isAtomic && failures.length > 0);
}

/** A failure must not be due to a stale schema. */
async function areCurrent(executor: Executor, { tenantId, types }: Batch): Promise<boolean> {
  if (types.length === 0) return true;
  const rows = await executor.query(tenantId, TYPE_VERSIONS, { typeIds: types.map(({ id }) => id) });
  const versions = new Map(rows.map(({ id, version }) => [id, version]));
  return types.every(({ id, version }) => versions.get(id) === version);
}

function creationOf(tenantId: string, amount: number): Creation {
  return { tenantId, resource: ENTRIES, amount };
}

function nameOf({ id, slug }: IdOrSlug): string {
  return id ?? `slug ${slug}`;
}
