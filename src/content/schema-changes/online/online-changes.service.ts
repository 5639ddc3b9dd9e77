import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { heavyWork } from '../../../admission/heavy-work.js';
import { Database } from '../../../database/database.js';
import type { Transaction } from '../../../database/transaction.js';
import { columns } from '../../../database/statements/text-array.js';
import {
  type ScheduledJobHandler,
  type ScheduledJob,
  ScheduledJobs,
  HandlesScheduledJobs,
} from '../../../scheduled-jobs/scheduled-jobs.js';
import { isLockTimeout, violatedConstraint } from '../../../errors/database-problem.js';
import { presentProblem, Problem } from '../../../errors/problem.js';
import type { Author } from '../../../http/caller.js';
import { slugTaken } from '../../../ids/slugged.js';
import { parseSliced } from '../../../json/parse-sliced.js';
import { tsvectorArray } from '../../../search/tsvector.js';
import { FileUrls } from '../../../tenants/file-urls.js';
import { ContentTypeEvents } from '../../content-type-events.js';
import { ContentType } from '../../content-type.entity.js';
import type { EntryFields } from '../../entries/writes/entry-values.js';
import { batchesOf, conflict, each, FIRST_ENTRY_ID, logMoves, MAX_COUNTED } from '../schema-change.js';
import { writeDocumentsIn } from '../locale-documents.js';
import { SchemaChangePlan } from '../schema-change-plan.js';
import { LEARN_WORDS, NEXT_SIZES, WRITE_WORDS } from '../schema-change.sql.js';
import { Schemas, searchedAs } from '../../schemas.js';
import { OnlineChange } from './online-change.js';
import { SCHEMA_CHANGE } from './schema-change-kind.js';
import {
  ENTRIES_BY_IDS,
  ENTRIES_TO_PREPARE,
  FINISH_CHANGE,
  FOLD,
  FORGET,
  GIVE_UP_CHANGE,
  LOCK_CHANGE,
  MOVE_CHANGE,
  type Phase,
  type RunningChange,
  SWEEP_ORPHANS,
  SWEEP_UNIQUES,
  SWEEP_VALUES,
  WRITTEN_BETWEEN,
  type WrittenEntry,
} from './schema-changes.sql.js';

/** A worker carries out a change for this long, then other work has its turn: schedules must not be late. */
const SLICE_MS = 3_000;

/** Entries written meanwhile that are looked at in one batch, and those that are few enough to be looked at while writers wait. */
const CATCH_UP = { batch: 300, last: 100 };

/** Writers take the time of a write from their own clocks, and before the write waits for its turn. */
const CLOCKS_MS = 120_000;

/** A batch waits this long for a lock, then lets others go on. Deadlocks take longer to be noticed. */
const LOCK_MS = 300;

/** What a change is made of, as it is stored. */
export interface ChangeRequest {
  before: ContentType;
  after: ContentType;
  renames: [string, string][];
  /** Whether the change is refused if it would hide a value. */
  keepsValues?: boolean;
  /** Missing in changes of earlier versions of the service. */
  by?: Author;
}

/** A running change, with its plan. */
interface Work {
  id: string;
  change: RunningChange;
  before: ContentType;
  after: ContentType;
  plan: SchemaChangePlan;
  by: Author;
}

/** Too many entries were written since the last look: look again before writers have to wait. */
class NotYet extends Error {
  override readonly name = 'NotYet';
}

/** The change is blocked by stored values or a taken slug. */
class Blocked extends Error {
  override readonly name = 'Blocked';

  constructor(readonly problem: Problem) {
    super(problem.detail);
  }
}

/**
 * Carries out changes of large content types while their entries are read and written. Each batch is a transaction that locks the change, so
 * a worker that dies loses at most one batch, and the next worker goes on.
 */
@Injectable()
@HandlesScheduledJobs([SCHEMA_CHANGE])
export class OnlineChanges implements ScheduledJobHandler {
  constructor(
    private readonly database: Database,
    private readonly schemas: Schemas,
    private readonly scheduledJobs: ScheduledJobs,
    private readonly typeEvents: ContentTypeEvents,
    private readonly urls: FileUrls,
  ) {}

  async carryOut(tenantId: string, item: ScheduledJob): Promise<void> {
    const end = Date.now() + SLICE_MS;
    while (Date.now() < end) {
      if (!(await this.advance(tenantId, item.id))) {
        return this.database.transaction(tenantId, (transaction) =>
          this.scheduledJobs.settle(transaction, tenantId, item),
        );
      }
    }
    await this.database.transaction(tenantId, (transaction) =>
      this.scheduledJobs.settle(transaction, tenantId, item, new Date().toISOString()),
    );
  }

  /** Carries out one batch. Returns false if nothing is left to do. */
  private async advance(tenantId: string, id: string): Promise<boolean> {
    try {
      const isRunning = await this.database.transaction(tenantId, async (transaction) => {
        await transaction.extendStatementTimeout();
        await transaction.limitLockWaits(LOCK_MS);
        const [change] = await transaction.query(tenantId, LOCK_CHANGE, { id, clocksMs: CLOCKS_MS });
        if (!change) return false;
        const { before, after, renames, keepsValues, by = {} } = readRequest(change.request);
        const plan = new SchemaChangePlan(before, after, { renames: new Map(renames) }, await searchedAs(after), true);
        plan.keepsValues = keepsValues === true;
        if (plan.changesMedia) plan.isFileBase = await this.urls.knownBy(transaction, tenantId);
        await this.step(transaction, tenantId, { id, change, before, after, plan, by });
        return true;
      });
      return isRunning;
    } catch (error) {
      if (error instanceof Blocked) {
        await this.database.query(tenantId, GIVE_UP_CHANGE, {
          id,
          first: FIRST_ENTRY_ID,
          problem: JSON.stringify(presentProblem(error.problem)),
        });
      } else if (error instanceof NotYet || isLockTimeout(error)) await sleep(LOCK_MS * Math.random());
      else throw error;
      return true;
    }
  }

  private async step(transaction: Transaction, tenantId: string, work: Work): Promise<void> {
    switch (work.change.phase) {
      case 'prepare':
        return this.prepare(transaction, tenantId, work);
      case 'catch_up':
        return this.catchUp(transaction, tenantId, work);
      case 'review':
        return this.review(transaction, tenantId, work);
      case 'switch':
        return this.switchWhenFew(transaction, tenantId, work);
      case 'fold':
        return this.fold(transaction, tenantId, work);
      case 'undo':
        return this.undo(transaction, tenantId, work);
      case 'sweep':
        return this.sweep(transaction, tenantId, work);
    }
  }

  private async prepare(transaction: Transaction, tenantId: string, work: Work): Promise<void> {
    const { change, after, plan } = work;
    const { typeId } = change;
    const batch = plan.concernsEntries ? await this.nextBatch(transaction, tenantId, change) : undefined;
    if (!batch) {
      if (change.conflicts > 0) throw new Blocked(conflictOf(change.conflicts));
      return this.move(transaction, tenantId, work, { phase: 'catch_up', after: FIRST_ENTRY_ID });
    }
    const rows = await transaction.query(tenantId, ENTRIES_TO_PREPARE, { typeId, ...batch });
    const online = new OnlineChange(transaction, after, plan);
    const onlyChecks = change.conflicts > 0;
    const conflicts =
      change.conflicts + (await online.prepare(rows, { isRepeated: false, onlyChecks }).catch(asBlocked));
    if (conflicts >= MAX_COUNTED) throw new Blocked(conflict(`At least ${MAX_COUNTED} entries have`));
    await this.move(transaction, tenantId, work, { after: batch.last, processed: rows.length, conflicts });
  }

  private async catchUp(transaction: Transaction, tenantId: string, work: Work): Promise<void> {
    const began = Date.now();
    const { since: from } = work.change;
    const found = await this.writtenBetween(transaction, tenantId, work, { from, limit: CATCH_UP.batch });
    const since = reached(found, began);
    if (found.length > CATCH_UP.last) {
      await this.repeat(transaction, tenantId, work, found);
      return this.move(transaction, tenantId, work, { since });
    }
    // Waits for the writes in progress: a bulk request may take minutes from the time that its entries get to its commit.
    await this.lockType(transaction, tenantId, work);
    await this.move(transaction, tenantId, work, { since, phase: 'review' });
  }

  /** Finds the entries whose write committed when `catchUp` had passed their time already. Nearly always, there are none. */
  private async review(transaction: Transaction, tenantId: string, work: Work): Promise<void> {
    const { from, since: until } = work.change;
    const found = await this.writtenBetween(transaction, tenantId, work, { from, until, limit: CATCH_UP.batch });
    if (found.length > 0) return this.repeat(transaction, tenantId, work, found);
    await this.move(transaction, tenantId, work, { phase: 'switch' });
  }

  private async switchWhenFew(transaction: Transaction, tenantId: string, work: Work): Promise<void> {
    const { since: from } = work.change;
    const found = await this.writtenBetween(transaction, tenantId, work, { from, limit: CATCH_UP.batch });
    if (found.length > CATCH_UP.last) return this.repeat(transaction, tenantId, work, found);
    await this.switch(transaction, tenantId, work);
  }

  /** Makes the change in one short transaction: writers wait for it, and then find another version of the type. */
  private async switch(transaction: Transaction, tenantId: string, work: Work): Promise<void> {
    const { before, after, plan, change, by } = work;
    const locked = await this.lockType(transaction, tenantId, work);
    const limit = CATCH_UP.batch + 1;
    const found = await this.writtenBetween(transaction, tenantId, work, { from: change.since, limit });
    if (found.length > CATCH_UP.batch) throw new NotYet('Too many entries were written meanwhile.');
    await this.repeat(transaction, tenantId, work, found);
    if (!plan.moves.isEmpty) await new OnlineChange(transaction, after, plan).changeDrafts();
    await logMoves(transaction, after, plan);
    const changed = {
      ...after,
      retired: plan.retired,
      indexNames: plan.indexNames,
      changeId: work.id,
      guarded: locked?.guarded === true ? true : after.guarded,
      updatedAt: new Date(),
    };
    const types = transaction.repository(ContentType);
    await types.update(tenantId, { id: after.id }, changed).catch((error: unknown) => {
      throw violatedConstraint(error) === 'content_types_slug' ? new Blocked(slugTaken(after.slug)) : error;
    });
    await this.typeEvents.record(transaction, by, 'updated', changed, before);
    await this.move(transaction, tenantId, work, { phase: 'fold', after: FIRST_ENTRY_ID });
  }

  /** Locks the type when all writes in progress have committed. Later ones wait for the end of the transaction. */
  private lockType(transaction: Transaction, tenantId: string, { change }: Work): Promise<ContentType | null> {
    return transaction.repository(ContentType).findOne(tenantId, { id: change.typeId }, 'pessimistic_write');
  }

  private async writtenBetween(
    transaction: Transaction,
    tenantId: string,
    { change: { typeId }, plan }: Work,
    { from, until = 'infinity', limit }: { from: string; until?: string; limit: number },
  ): Promise<WrittenEntry[]> {
    if (!plan.concernsEntries) return [];
    return transaction.query(tenantId, WRITTEN_BETWEEN, { typeId, from, until, limit });
  }

  private async repeat(
    transaction: Transaction,
    tenantId: string,
    { change, after, plan }: Work,
    found: readonly { id: string; bytes: number }[],
  ): Promise<void> {
    const { typeId } = change;
    const ids = [...found].sort((a, b) => (a.id < b.id ? -1 : 1));
    for (const [first, last] of batchesOf(ids)) {
      const batch = ids.map(({ id }) => id).filter((id) => id >= first && id <= last);
      const rows = await transaction.query(tenantId, ENTRIES_BY_IDS, { typeId, ids: batch });
      const online = new OnlineChange(transaction, after, plan);
      const conflicts = await online.prepare(rows, { isRepeated: true, onlyChecks: false }).catch(asBlocked);
      if (conflicts > 0) throw new Blocked(conflictOf(conflicts));
    }
  }

  private async fold(transaction: Transaction, tenantId: string, work: Work): Promise<void> {
    const { change, plan } = work;
    const batch = plan.writes ? await this.nextBatch(transaction, tenantId, change) : undefined;
    if (!batch) return this.move(transaction, tenantId, work, { phase: 'sweep' });
    const { typeId } = change;
    const raises = plan.movesEntries || plan.changesMedia ? 1 : 0;
    const rows = await transaction.query(tenantId, FOLD, { typeId, ...batch, raises });
    if (plan.rewritesDocuments && rows.length > 0) await this.writeDocuments(transaction, tenantId, work, rows);
    if (plan.rewritesLocales && rows.length > 0) await this.writeLocales(transaction, tenantId, work, rows);
    await this.move(transaction, tenantId, work, { after: batch.last });
  }

  private async writeDocuments(
    transaction: Transaction,
    tenantId: string,
    { plan, change: { typeId } }: Work,
    rows: readonly { id: string; fields: string }[],
  ): Promise<void> {
    const queueKey = `changes/${tenantId}`;
    const documents = await heavyWork.run(
      queueKey,
      each(rows, function* ({ id, fields }) {
        const document = yield* plan.documentOf((yield* parseSliced(fields)) as EntryFields);
        return { ...document, id, gaps: String(document.gaps) };
      }),
    );
    const names = { ids: 'id', gaps: 'gaps', sequences: 'sequence' } as const;
    await transaction.query(tenantId, WRITE_WORDS, {
      typeId,
      words: tsvectorArray(documents.map(({ vector }) => vector)),
      ...(await heavyWork.run(queueKey, columns(documents, names))),
    });
    await this.learn(transaction, tenantId, typeId, documents);
  }

  private async writeLocales(
    transaction: Transaction,
    tenantId: string,
    { plan, change: { typeId } }: Work,
    rows: readonly { id: string; fields: string }[],
  ): Promise<void> {
    const entries = await heavyWork.run(
      `changes/${tenantId}`,
      each(rows, function* ({ id, fields }) {
        return { id, documents: yield* plan.documentsIn(id, (yield* parseSliced(fields)) as EntryFields) };
      }),
    );
    await writeDocumentsIn(transaction, tenantId, typeId, entries);
    const documents = entries.flatMap((entry) => entry.documents);
    await this.learn(transaction, tenantId, typeId, documents);
  }

  private async learn(
    transaction: Transaction,
    tenantId: string,
    typeId: string,
    documents: readonly { vocabulary: readonly string[] }[],
  ): Promise<void> {
    const vocabulary = [...new Set(documents.flatMap((document) => document.vocabulary))].sort();
    const words = vocabulary.map((word) => ({ word }));
    await transaction.query(tenantId, LEARN_WORDS, {
      typeId,
      ...(await heavyWork.run(`changes/${tenantId}`, columns(words, { words: 'word' } as const))),
    });
  }

  /** Removes the rows that no schema reads any more. Then the change is done. */
  private async sweep(transaction: Transaction, tenantId: string, work: Work): Promise<void> {
    const { plan, change } = work;
    const { typeId } = change;
    const { after: claimed, before: released } = plan.uniqueFields;
    if (await this.swept(transaction, tenantId, typeId, plan.indexFields.before, released)) return;
    if (claimed.length > 0) await transaction.query(tenantId, SWEEP_ORPHANS, { typeId, fields: claimed });
    await this.finish(transaction, tenantId, work);
  }

  /** Removes everything that was prepared. Then the change has failed. */
  private async undo(transaction: Transaction, tenantId: string, work: Work): Promise<void> {
    const { plan, change } = work;
    const { typeId } = change;
    const batch = await this.nextBatch(transaction, tenantId, change);
    if (batch) {
      await transaction.query(tenantId, FORGET, { typeId, ...batch });
      return this.move(transaction, tenantId, work, { after: batch.last });
    }
    if (await this.swept(transaction, tenantId, typeId, plan.indexFields.after, plan.uniqueFields.after)) return;
    await this.finish(transaction, tenantId, work);
  }

  /** Removes some rows of these fields. Returns false if there were none. */
  private async swept(
    transaction: Transaction,
    tenantId: string,
    typeId: string,
    fields: readonly string[],
    uniqueFields: readonly string[],
  ): Promise<boolean> {
    const values = fields.length > 0 ? await transaction.query(tenantId, SWEEP_VALUES, { typeId, fields }) : [];
    if (values.length > 0) return true;
    const uniques =
      uniqueFields.length > 0 ? await transaction.query(tenantId, SWEEP_UNIQUES, { typeId, fields: uniqueFields }) : [];
    return uniques.length > 0;
  }

  private async finish(transaction: Transaction, tenantId: string, { id, change: { typeId } }: Work): Promise<void> {
    await transaction.query(tenantId, FINISH_CHANGE, { id, typeId });
    this.schemas.forget(tenantId, typeId);
  }

  private async nextBatch(
    transaction: Transaction,
    tenantId: string,
    { typeId, after }: RunningChange,
  ): Promise<{ first: string; last: string } | undefined> {
    const sizes = await transaction.query(tenantId, NEXT_SIZES, { typeId, after });
    const [batch] = batchesOf(sizes);
    return batch && { first: batch[0], last: batch[1] };
  }

  private async move(
    transaction: Transaction,
    tenantId: string,
    { id, change }: Work,
    to: { phase?: Phase; after?: string; processed?: number; conflicts?: number; since?: string },
  ): Promise<void> {
    const { phase, after, conflicts, since } = change;
    await transaction.query(tenantId, MOVE_CHANGE, { id, phase, after, conflicts, since, processed: 0, ...to });
  }
}

/**
 * The time before which entries have been caught up with, after a batch of a look that began at `began`. So each write is looked at once, and not
 * with each later batch. Of a complete look, writes with late clocks are missing, and those that take long.
 */
function reached(batch: readonly WrittenEntry[], began: number): string {
  const last = batch[CATCH_UP.batch - 1];
  return new Date(Math.min(began - CLOCKS_MS, last ? Date.parse(last.updatedAt) : Infinity)).toISOString();
}

function conflictOf(count: number): Problem {
  return conflict(count === 1 ? '1 entry has' : `${count} entries have`);
}

/** A problem of the check itself (patterns that take too long) ends the change. An outage does not. */
function asBlocked(error: unknown): never {
  throw error instanceof Problem && error.status < 500 ? new Blocked(error) : error;
}

function readRequest(text: string): ChangeRequest {
  const { before, after, ...request } = JSON.parse(text) as ChangeRequest;
  const dated = (type: ContentType) => ({
    ...type,
    createdAt: new Date(type.createdAt),
    updatedAt: new Date(type.updatedAt),
  });
  return { before: dated(before), after: dated(after), ...request };
}
