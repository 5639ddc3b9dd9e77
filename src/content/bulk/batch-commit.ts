import { heavyWork } from '../../admission/heavy-work.js';
import { recordChanges } from '../../audit/record-changes.js';
import type { SlicedWork } from '../../admission/sliced-work.js';
import type { Transaction } from '../../database/transaction.js';
import type { Statement } from '../../database/statements/statement.js';
import { columns } from '../../database/statements/text-array.js';
import type { IndexRow } from '../../fields/compiled-field.js';
import type { UniqueValue } from '../../fields/schema.js';
import { newUuid } from '../../ids/type-id.js';
import { tsvectorArray } from '../../search/tsvector.js';
import { eventDataOf, vocabularyOf } from '../entries/writes/entry-write.js';
import { DELETE_ENTRIES } from '../entries/writes/entries-deletion.js';
import { type DictionaryCache, newWordColumns } from '../entries/writes/dictionary-cache.js';
import type { CompiledType } from '../schemas.js';
import {
  arrayText,
  documentBatches,
  documentColumns,
  MOVE_DOCUMENTS,
  PUT_DOCUMENTS,
  REMOVE_ALL_DOCUMENTS,
  REMOVE_NAMED_DOCUMENTS,
} from '../words/locale-words.sql.js';
import {
  ADD_BATCH_UNIQUES,
  ADD_BATCH_VALUES,
  COUNT_AND_LEARN,
  END_REVIEWS,
  INSERT_ENTRIES,
  MARK_UNAPPROVED,
  RECORD,
  RECORD_KEPT,
  type RecordColumns,
  REMOVE_BATCH_UNIQUES,
  REMOVE_BATCH_VALUES,
  type CreatedColumns,
  type StoredColumns,
  UPDATE_ENTRIES,
} from './batch.sql.js';
import { BatchLocks, writesByType } from './batch-locks.js';
import type { BatchPlan, PlannedWrite } from './batch-plan.js';

/** Maps parameters of the statements to properties of the rows. */
const STORED = {
  entryIds: 'id',
  fields: 'fields',
  statuses: 'status',
  times: 'at',
  publishedTimes: 'publishedAt',
  gaps: 'gaps',
  sequences: 'sequence',
} as const;
const CREATED = { createdTimes: 'createdAt', versions: 'version' } as const;
const VALUES = { ids: 'id', fields: 'field', keys: 'key', discriminators: 'discriminator' } as const;
const UNIQUES = { ids: 'id', fields: 'field', values: 'key' } as const;
const VERSIONS = {
  entryIds: 'id',
  numbers: 'number',
  schemaVersions: 'schemaVersion',
  summaries: 'summary',
  data: 'data',
  stored: 'stored',
  times: 'at',
  lastEventIds: 'lastEventId',
} as const;
const EVENTS = {
  eventIds: 'eventId',
  eventTypes: 'type',
  eventEntryIds: 'id',
  eventNumbers: 'number',
  eventTimes: 'at',
} as const;

/**
 * Rows of the index that one statement writes, unless a single entry has more. The driver sends a statement at once, and hundreds of
 * thousands of rows would block the process for a second.
 */
const MAX_ROWS = 10_000;

/** Runs one statement of the transaction. */
type Run = (transaction: Transaction) => Promise<unknown>;

/** Writes the changes of a plan in one transaction. */
export class BatchCommit {
  private constructor(
    private readonly locks: BatchLocks,
    private readonly statements: readonly Run[],
    /** The words that each type learns. Call `DictionaryCache.add` with them after the commit. */
    readonly learned: ReadonlyMap<string, readonly string[]>,
  ) {}

  /** Prepares all statements, because the work on them takes turns, and a transaction holds a connection and locks. */
  static async prepare(
    tenantId: string,
    types: readonly CompiledType[],
    plan: BatchPlan,
    knownWords: DictionaryCache,
  ): Promise<BatchCommit> {
    const { writes, isHeavy } = plan;
    const learned = new Map<string, readonly string[]>();
    for (const [typeId, ofType] of writesByType(writes)) {
      learned.set(typeId, knownWords.unknown(tenantId, typeId, wordsOf(ofType)));
    }
    const statements = await heavyWork.runIf(isHeavy, tenantId, statementSliced(tenantId, plan, learned));
    return new BatchCommit(new BatchLocks(tenantId, types, plan), statements, learned);
  }

  /** Returns false if a concurrent change won; the transaction must then be rolled back. */
  async write(transaction: Transaction): Promise<boolean> {
    if (!(await this.locks.take(transaction))) return false;
    for (const statement of this.statements) await statement(transaction);
    return true;
  }
}

function* wordsOf(writes: readonly PlannedWrite[]): Iterable<string> {
  for (const write of writes) yield* vocabularyOf(write);
}

function* statementSliced(
  tenantId: string,
  { writes, by }: Pick<BatchPlan, 'writes' | 'by'>,
  learned: ReadonlyMap<string, readonly string[]>,
): SlicedWork<Run[]> {
  const statements: Run[] = [];
  for (const segment of segments(writes)) {
    for (const [typeId, ofType] of writesByType(segment)) {
      for (const statement of yield* statementsOfType(tenantId, typeId, ofType)) statements.push(statement);
    }
    const recorded = yield* recordColumns(segment);
    const record = segment.some(({ isKept }) => isKept) ? RECORD_KEPT : RECORD;
    statements.push((transaction) => transaction.query(tenantId, record, recorded));
  }
  const changes = writes.map(({ audit }) => audit);
  statements.push((transaction) => recordChanges(transaction, tenantId, by, changes));
  for (const [typeId, ofType] of writesByType(writes)) {
    const drafts = ofType.reduce((sum, { counts }) => sum + counts.drafts, 0);
    const published = ofType.reduce((sum, { counts }) => sum + counts.published, 0);
    const newWords = learned.get(typeId) ?? [];
    statements.push((transaction) =>
      transaction.query(tenantId, COUNT_AND_LEARN, { typeId, drafts, published, ...newWordColumns(newWords) }),
    );
  }
  return statements;
}

/** The statements for changes of different entries. What they release comes before what they claim. */
function* statementsOfType(tenantId: string, typeId: string, writes: readonly PlannedWrite[]): SlicedWork<Run[]> {
  const statements: Run[] = [];
  const add = <Parameters>(statement: Statement<Parameters & { typeId: string }, never>, parameters: Parameters) =>
    void statements.push((transaction) => transaction.query(tenantId, statement, { ...parameters, typeId }));
  const ofKind = (kind: PlannedWrite['kind']) => writes.filter((write) => write.kind === kind);
  const [created, updated, deleted] = [ofKind('create'), ofKind('update'), ofKind('delete')];
  if (deleted.length > 0) add(DELETE_ENTRIES, { entryIds: deleted.map(({ row }) => row.id) });
  const released = uniqueRows(writes, 'removed');
  if (released.length > 0) add(REMOVE_BATCH_UNIQUES, yield* columns(released, UNIQUES));
  statements.push(...(yield* documentStatements(tenantId, typeId, writes)));
  for (const removed of yield* valueRows(writes, 'removed')) add(REMOVE_BATCH_VALUES, yield* columns(removed, VALUES));
  if (created.length > 0) add(INSERT_ENTRIES, yield* createdColumns(created));
  if (updated.length > 0) add(UPDATE_ENTRIES, yield* storedColumns(updated));
  for (const [statement, which] of [
    [MARK_UNAPPROVED, 'isUnapproved'],
    [END_REVIEWS, 'endsReview'],
  ] as const) {
    const entryIds = updated.filter((write) => write[which]).map(({ row }) => row.id);
    if (entryIds.length > 0) add(statement, { entryIds });
  }
  for (const added of yield* valueRows(writes, 'added')) add(ADD_BATCH_VALUES, yield* columns(added, VALUES));
  const claimed = inOrder(uniqueRows(writes, 'added'));
  if (claimed.length > 0) add(ADD_BATCH_UNIQUES, yield* columns(claimed, UNIQUES));
  return statements;
}

/** The statements for the documents in locales. Only types with localized fields have any. */
function* documentStatements(tenantId: string, typeId: string, writes: readonly PlannedWrite[]): SlicedWork<Run[]> {
  const statements: Run[] = [];
  const add = <Parameters>(statement: Statement<Parameters & { typeId: string }, never>, parameters: Parameters) =>
    void statements.push((transaction) => transaction.query(tenantId, statement, { ...parameters, typeId }));
  const deleted = writes.flatMap(({ kind, type, row: { id } }) => (kind === 'delete' && type.localeSearch ? id : []));
  if (deleted.length > 0) add(REMOVE_ALL_DOCUMENTS, { entryIds: deleted });
  const removed = writes.flatMap(({ row: { id }, documents }) =>
    (documents?.removed ?? []).map((name) => ({ id, name })),
  );
  if (removed.length > 0) add(REMOVE_NAMED_DOCUMENTS, yield* columns(removed, { ids: 'id', names: 'name' } as const));
  const moved = writes.flatMap(({ row: { id }, documents }) =>
    (documents?.moved ?? []).map(({ name, views }) => ({ id, name, views: arrayText(views) })),
  );
  const names = { ids: 'id', names: 'name', views: 'views' } as const;
  if (moved.length > 0) add(MOVE_DOCUMENTS, yield* columns(moved, names));
  const written = writes.flatMap(({ row: { id }, documents }) =>
    (documents?.written ?? []).map((one) => ({ ...one, id })),
  );
  for (const some of documentBatches(written)) add(PUT_DOCUMENTS, yield* documentColumns(some));
  return statements;
}

/** One order for all batches (see `ADD_UNIQUES`). */
function inOrder(uniques: ReturnType<typeof uniqueRows>): ReturnType<typeof uniqueRows> {
  return uniques.sort((a, b) => compare(a.field, b.field) || compare(a.key, b.key));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Splits the changes so that none of the segments changes an entry twice. */
function* segments(writes: readonly PlannedWrite[]): Iterable<PlannedWrite[]> {
  let segment: PlannedWrite[] = [];
  let ids = new Set<string>();
  for (const write of writes) {
    if (ids.has(write.row.id)) {
      yield segment;
      [segment, ids] = [[], new Set()];
    }
    segment.push(write);
    ids.add(write.row.id);
  }
  if (segment.length > 0) yield segment;
}

function* createdColumns(writes: readonly PlannedWrite[]): SlicedWork<StoredColumns & CreatedColumns> {
  const rows = writes.map(({ row: { createdAt, version } }) => ({ createdAt, version: String(version) }));
  return { ...(yield* storedColumns(writes)), ...(yield* columns(rows, CREATED)) };
}

function* storedColumns(writes: readonly PlannedWrite[]): SlicedWork<StoredColumns> {
  const rows = writes.map(({ row: { id, fields, status, publishedAt }, at, document }) => ({
    id,
    fields,
    status,
    at,
    publishedAt,
    gaps: String(document?.gaps ?? 0),
    sequence: document?.sequence ?? null,
  }));
  const words = tsvectorArray(writes.map(({ document }) => document?.vector ?? null));
  return { ...(yield* columns(rows, STORED)), words };
}

/** Returns the rows of the index in parts, one for each statement. */
function* valueRows(
  writes: readonly PlannedWrite[],
  change: 'added' | 'removed',
): SlicedWork<(IndexRow & { id: string })[][]> {
  const parts: (IndexRow & { id: string })[][] = [];
  let part: (IndexRow & { id: string })[] = [];
  for (const { row, rows } of writes) {
    const changed = rows.values[change];
    if (part.length === 0 || part.length + changed.length > MAX_ROWS) parts.push((part = []));
    for (const { field, key, discriminator } of changed) part.push({ id: row.id, field, key, discriminator });
    yield;
  }
  return parts.filter(({ length }) => length > 0);
}

function uniqueRows(
  writes: readonly PlannedWrite[],
  change: 'added' | 'removed',
): (Pick<UniqueValue, 'field' | 'key'> & { id: string })[] {
  return writes.flatMap(({ row: { id }, rows }) => rows.uniques[change].map(({ field, key }) => ({ id, field, key })));
}

function* recordColumns(writes: readonly PlannedWrite[]): SlicedWork<RecordColumns> {
  const versions = writes.map((planned) => {
    const { type, row, at, events, summary } = planned;
    const { head, shownFields, tail } = eventDataOf(planned);
    const eventIds = events.map(newUuid);
    const data = `${head}${shownFields ?? row.fields}${tail}`;
    const stored = shownFields === null ? null : row.fields;
    return { type, row, at, events, eventIds, summary, data, stored, number: String(row.version) };
  });
  const rows = versions.map(({ type, row, number, summary, data, stored, at, eventIds }) => {
    const lastEventId = eventIds.at(-1) ?? null;
    return {
      id: row.id,
      number,
      schemaVersion: String(type.version),
      summary,
      data,
      stored,
      at,
      lastEventId,
    };
  });
  const eventRows = versions.flatMap(({ row: { id }, number, at, events, eventIds }) =>
    events.map((type, index) => ({ eventId: eventIds[index] ?? null, type, id, number, at })),
  );
  return { ...(yield* columns(rows, VERSIONS)), ...(yield* columns(eventRows, EVENTS)) };
}
