import { heavyWork } from '../../admission/heavy-work.js';
import type { SlicedWork } from '../../admission/sliced-work.js';
import type { Transaction } from '../../database/transaction.js';
import type { Statement } from '../../database/statements/statement.js';
import { columns, type TextArray } from '../../database/statements/text-array.js';
import { Problem } from '../../errors/problem.js';
import { newUuid } from '../../ids/type-id.js';
import type { FieldDefinition } from '../../fields/field-definition.js';
import { keyAtPath } from '../../fields/changes/inner-values.js';
import { patternRunner, PatternsTooCostlyError, TimeBudget } from '../../fields/patterns/pattern-runner.js';
import { tsvectorArray } from '../../search/tsvector.js';
import { type ContentType, targetsOf } from '../content-type.entity.js';
import { MISSING_REFERENCES } from '../entries/entries.sql.js';
import { movedDraft } from '../drafts/draft-values.js';
import { writeDocumentsIn } from './locale-documents.js';
import { lookUps } from '../entries/writes/reference-look-ups.js';
import {
  type ChangedEntry,
  type CheckedEntry,
  hidesValues,
  type SchemaChangePlan,
  type UniqueOfEntry,
} from './schema-change-plan.js';
import { hasCountedSteps, type Misfit, Tally } from './schema-plan.js';
import {
  ADD_MOVED_UNIQUES,
  ADD_MOVED_VALUES,
  DRAFTS_BETWEEN,
  ENTRIES_BETWEEN,
  LEARN_WORDS,
  LOG_MOVES,
  NEXT_DRAFT_SIZES,
  NEXT_SIZES,
  OWNERS,
  REMOVE_MOVED_UNIQUES,
  REMOVE_MOVED_VALUES,
  type StoredRow,
  WRITE_DRAFTS,
  WRITE_ENTRIES,
  WRITE_WORDS,
} from './schema-change.sql.js';

/** Bytes of JSON that are in memory at once, unless a single entry has more. Parsed values take about ten times as much. */
const BATCH_BYTES = 2 * 1024 * 1024;

/** Counts at most this many entries that block a change. */
export const MAX_COUNTED = 100_000;

/** Limit of the pattern worker's time for one change, in milliseconds. */
const PATTERN_MS = 30_000;

/** Maps parameters of the statements to properties of index rows. */
export const INDEXED_VALUES = { ids: 'id', fields: 'field', keys: 'key', discriminators: 'discriminator' } as const;

export const FIRST_ENTRY_ID = '00000000-0000-0000-0000-000000000000';

/** Changes of a type's values that the log keeps. Older versions than that are read as if they were written then. */
const MAX_LOGGED = 500;

/**
 * Changes every stored entry from one schema of its type to the next: hides the values of removed fields, restores those of returning
 * fields, checks tightened fields, and updates the index, unique values and search text where they differ. The type's row must be locked.
 * Returns the retired definitions after the change. Throws a 409 with the number of entries that block the change.
 */
export async function changeSchema(
  transaction: Transaction,
  type: ContentType,
  plan: SchemaChangePlan,
): Promise<FieldDefinition[]> {
  if (plan.concernsEntries) await new SchemaChange(transaction, type, plan).run();
  await logMoves(transaction, type, plan);
  return plan.retired;
}

/** Adds what the change does to values to the log, through which old versions are read. */
export async function logMoves(transaction: Transaction, type: ContentType, plan: SchemaChangePlan): Promise<void> {
  if (plan.log.length === 0) return;
  const logged = { version: type.version, moves: JSON.stringify(plan.log), kept: MAX_LOGGED };
  await transaction.query(type.tenantId, LOG_MOVES, { typeId: type.id, ...logged });
}

/**
 * Checks every stored entry as `changeSchema` would, without a lock, and counts what it finds. Nothing of an entry is changed, but the
 * transaction must be rolled back.
 */
export async function tallyChange(transaction: Transaction, type: ContentType, plan: SchemaChangePlan): Promise<Tally> {
  const tally = new Tally();
  if (hasCountedSteps(plan)) await new SchemaChange(transaction, type, plan, tally).run();
  return tally;
}

/** Checks entries in batches, and stores what they become. */
export class SchemaChange {
  protected readonly tenantId: string;
  protected readonly typeId: string;
  /** A separate key for the turns of heavy work, so that the work is not rejected when many requests of the tenant wait. */
  private readonly queueKey: string;
  readonly conflicting = new Set<string>();
  /** Follows the names of fields in claims of unique values that are never committed. No name of a field contains it. */
  private readonly claimedAs: string;
  private readonly patternTime = new TimeBudget(PATTERN_MS);

  constructor(
    protected readonly transaction: Transaction,
    protected readonly type: ContentType,
    protected readonly plan: SchemaChangePlan,
    /** Counts instead of changing. */
    private readonly tally?: Tally,
  ) {
    this.tenantId = type.tenantId;
    this.typeId = type.id;
    this.queueKey = `changes/${type.tenantId}`;
    this.claimedAs = tally ? `?${newUuid()}` : '';
  }

  async run(): Promise<void> {
    if (!this.tally) {
      await this.query(REMOVE_MOVED_UNIQUES, { typeId: this.typeId, fields: this.plan.uniquesToRemove });
      // Before the entries: a base of a draft is the digest of a live value.
      if (!this.plan.moves.isEmpty) await this.changeDrafts();
    }
    let after = FIRST_ENTRY_ID;
    for (;;) {
      const sizes = await this.query(NEXT_SIZES, { typeId: this.typeId, after });
      for (const [first, last] of batchesOf(sizes)) {
        await this.change(await this.query(ENTRIES_BETWEEN, { typeId: this.typeId, first, last }));
        if (this.conflicting.size >= MAX_COUNTED && !this.tally) throw conflict(`At least ${MAX_COUNTED} entries have`);
      }
      const next = sizes.at(-1);
      if (!next) break;
      after = next.id;
    }
    const count = this.conflicting.size;
    if (count > 0 && !this.tally) throw conflict(count === 1 ? '1 entry has' : `${count} entries have`);
  }

  async change(rows: readonly StoredRow[]): Promise<void> {
    const isThorough = this.tally !== undefined || this.plan.keepsValues;
    const entries = await this.inSteps(each(rows, (row) => this.plan.check(row, isThorough)));
    await this.matchDeferredPatterns(entries);
    if (this.plan.keepsValues) for (const entry of entries) if (hidesValues(entry)) this.conflicting.add(entry.id);
    const fitting = entries.filter(({ validation }) => validation.errors.length === 0);
    // A plan tells everything that is in the way, also of an entry of which something is wrong already.
    const considered = this.tally ? entries : fitting;
    for (const { concerned } of this.tally ? entries : []) for (const field of concerned) this.tally?.count(field);
    for (const { id, values, validation } of entries) {
      for (const { path, code, message } of validation.errors)
        this.refuse({ field: keyAtPath(this.plan.next, values, path) ?? '', id, code, message });
    }
    for (const misfit of await this.missingTargets(considered)) this.refuse(misfit);
    // Once an entry blocks the change, nothing will be stored. The remaining entries are only checked and counted.
    if (this.conflicting.size === 0 && !this.tally) await this.store(fitting);
    const uniques = await this.inSteps(each(considered, (entry) => this.plan.uniques(entry)));
    for (const misfit of await this.claim(uniques.flat())) this.refuse(misfit);
  }

  private refuse(misfit: Misfit): void {
    this.tally?.fail(misfit);
    if (!this.tally) this.conflicting.add(misfit.id);
  }

  async changeDrafts(): Promise<void> {
    for (let after = FIRST_ENTRY_ID; ;) {
      const sizes = await this.query(NEXT_DRAFT_SIZES, { typeId: this.typeId, after });
      for (const [first, last] of batchesOf(sizes)) {
        const rows = await this.query(DRAFTS_BETWEEN, { typeId: this.typeId, first, last });
        const drafts = await this.inSteps(each(rows, (row) => movedDraft(this.plan.moves, row.live, row)));
        const moved = rows.flatMap(({ id, number }, index) => {
          const { draft, bases } = drafts[index] ?? {};
          return draft === undefined || bases === undefined ? [] : { id, number: String(number), draft, bases };
        });
        await this.writeRows(WRITE_DRAFTS, moved, { ids: 'id', numbers: 'number', drafts: 'draft', bases: 'bases' });
      }
      const next = sizes.at(-1);
      if (!next) return;
      after = next.id;
    }
  }

  /** Matches the deferred patterns. Each match has its own effort, as if its entry were written now. */
  private async matchDeferredPatterns(entries: readonly CheckedEntry[]): Promise<void> {
    const deferred = entries.filter(({ validation }) => validation.deferred.length > 0);
    const matches = deferred.flatMap(({ validation }) => validation.deferred);
    if (matches.length === 0) return;
    const limits = { timeBudget: this.patternTime };
    const answers = await patternRunner.matches(this.queueKey, matches, limits).catch((error: unknown) => {
      throw error instanceof PatternsTooCostlyError ? tooCostly() : error;
    });
    let next = 0;
    for (const { validation } of deferred) {
      const count = validation.deferred.length;
      validation.resolve(answers.slice(next, next + count));
      next += count;
    }
  }

  /** The entries with a reference that does not exist in the field's new content type. */
  private async missingTargets(entries: readonly CheckedEntry[]): Promise<Misfit[]> {
    const found = await this.inSteps(each(entries, (entry) => this.plan.references(entry)));
    const references = entries.flatMap(({ id }, index) =>
      (found[index] ?? []).map(({ field: { key, path }, id: to }) => {
        return { id, field: key, path, types: targetsOf(this.type.targets, key), to };
      }),
    );
    if (references.length === 0) return [];
    const sought = await this.inSteps(lookUps(references));
    const missing = await this.transaction.query(this.tenantId, MISSING_REFERENCES, sought);
    return missing.flatMap(({ place }) => {
      const { id, field, path } = references[place] ?? {};
      if (id === undefined || field === undefined) return [];
      return { field, id, code: 'reference', message: `${path} refers to no entry of its content types.` };
    });
  }

  /** Claims the values of unique fields. Returns the entries whose value is taken, and the entries that have it. */
  protected async claim(uniques: readonly UniqueOfEntry[]): Promise<Misfit[]> {
    if (uniques.length === 0) return [];
    const wanted = uniques.map(({ field, ...unique }) => ({ ...unique, field: field + this.claimedAs }));
    const claim = await this.inSteps(columns(wanted, { ids: 'id', fields: 'field', values: 'key' } as const));
    const claimed = await this.query(ADD_MOVED_UNIQUES, { typeId: this.typeId, ...claim });
    const names = new Set(claimed.map(({ id, field, value }) => `${id} ${field} ${value}`));
    const refused = wanted.filter(({ id, field, key }) => !names.has(`${id} ${field} ${key}`));
    if (refused.length === 0) return [];
    const taken = await this.inSteps(columns(refused, { fields: 'field', values: 'key' } as const));
    const owners = await this.query(OWNERS, { typeId: this.typeId, ...taken });
    return [...refused, ...owners].map(({ id, field: claimed }) => {
      const [field = ''] = claimed.split(/[~?]/);
      return { field, id, code: 'unique', message: `Another entry has the same value for ${field}.` };
    });
  }

  /** Stores what entries whose values fit become. */
  protected async store(entries: readonly CheckedEntry[]): Promise<void> {
    await this.write(await this.inSteps(each(entries, (entry) => this.plan.change(entry))));
  }

  private async write(entries: readonly ChangedEntry[]): Promise<void> {
    const changed = entries.flatMap(({ id, content }) => (content ? [{ id, ...content }] : []));
    await this.writeRows(WRITE_ENTRIES, changed, { ids: 'id', fields: 'fields', retired: 'retired' });
    const reworded = entries.flatMap(({ id, document }) => {
      return document ? [{ ...document, id, gaps: String(document.gaps) }] : [];
    });
    if (reworded.length > 0) {
      const words = tsvectorArray(reworded.map(({ vector }) => vector));
      const others = await this.inSteps(columns(reworded, { ids: 'id', gaps: 'gaps', sequences: 'sequence' }));
      await this.query(WRITE_WORDS, { typeId: this.typeId, words, ...others });
    }
    const rewritten = entries.flatMap(({ id, documents }) => (documents ? [{ id, documents }] : []));
    if (rewritten.length > 0) await writeDocumentsIn(this.transaction, this.tenantId, this.typeId, rewritten);
    const learned = entries.flatMap(({ document, documents = [] }) => [...(document ? [document] : []), ...documents]);
    await this.learn(new Set(learned.flatMap(({ vocabulary }) => vocabulary)));
    const removed = entries.flatMap((entry) => entry.removed);
    await this.writeRows(REMOVE_MOVED_VALUES, removed, INDEXED_VALUES);
    const added = entries.flatMap((entry) => entry.added);
    await this.writeRows(ADD_MOVED_VALUES, added, INDEXED_VALUES);
  }

  /** Adds words to the dictionary of the type. */
  protected async learn(words: ReadonlySet<string>): Promise<void> {
    if (words.size === 0) return;
    const rows = Array.from(words, (word) => ({ word }));
    await this.query(LEARN_WORDS, { typeId: this.typeId, ...(await this.inSteps(columns(rows, { words: 'word' }))) });
  }

  protected async writeRows<Parameter extends string, Property extends string>(
    statement: Statement<{ typeId: string } & Record<NoInfer<Parameter>, TextArray>, never>,
    rows: readonly Readonly<Record<Property, string | null>>[],
    names: Readonly<Record<Parameter, Property>>,
  ): Promise<void> {
    if (rows.length === 0) return;
    await this.query(statement, { typeId: this.typeId, ...(await this.inSteps(columns(rows, names))) });
  }

  protected query<Parameters, Row>(
    statement: Statement<Parameters, Row>,
    parameters: NoInfer<Parameters>,
  ): Promise<Row[]> {
    return this.transaction.query(this.tenantId, statement, parameters);
  }

  protected inSteps<Result>(steps: SlicedWork<Result>): Promise<Result> {
    return heavyWork.run(this.queueKey, steps);
  }
}

export function* each<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => SlicedWork<Result>,
): SlicedWork<Result[]> {
  const results: Result[] = [];
  for (const item of items) {
    results.push(yield* work(item));
    yield;
  }
  return results;
}

/** Returns the first and last ID of each batch of at most `BATCH_BYTES`. A larger entry has its own batch. */
export function batchesOf(sizes: readonly { id: string; bytes: number }[]): [first: string, last: string][] {
  const batches: [string, string][] = [];
  let total = Infinity;
  for (const { id, bytes } of sizes) {
    const batch = batches.at(-1);
    total += bytes;
    if (batch && total <= BATCH_BYTES) batch[1] = id;
    else {
      batches.push([id, id]);
      total = bytes;
    }
  }
  return batches;
}

/** 409: stored values are in the way. */
export function conflict(subject: string): Problem {
  const detail = `${subject} values that the new fields do not allow. Nothing was changed. Send dry_run=true to see which.`;
  return new Problem('conflict', detail, [{ path: 'fields', code: 'stored_values', message: detail }]);
}

function tooCostly(): Problem {
  const detail =
    'Checking the stored values against the new patterns takes too long. Nothing was changed. Use simpler ' +
    'patterns.';
  return new Problem('conflict', detail, [{ path: 'fields', code: 'too_costly', message: detail }]);
}
