import { heavyWork } from '../admission/heavy-work.js';
import type { Steps } from '../admission/steps.js';
import type { Transaction } from '../database/database.js';
import type { Statement } from '../database/statement.js';
import { columns, type TextArray } from '../database/text-array.js';
import { Problem } from '../errors/problem.js';
import type { FieldDefinition } from '../fields/field-definition.js';
import { patternRunner, PatternsTooCostlyError, TimeBudget } from '../fields/pattern-runner.js';
import { type ContentType, targetsOf } from './content-type.entity.js';
import { MISSING_REFERENCES } from './entries/entries.sql.js';
import { documentColumns } from './entries/entry-writes.js';
import { lookUps } from './entries/reference-look-ups.js';
import type { ChangedEntry, CheckedEntry, SchemaChangePlan, UniqueOfEntry } from './schema-change-plan.js';
import {
  ADD_UNIQUES,
  ADD_VALUES,
  ENTRIES_BETWEEN,
  LEARN_WORDS,
  NEXT_SIZES,
  OWNERS,
  REMOVE_UNIQUES,
  REMOVE_VALUES,
  type StoredRow,
  WRITE_ENTRIES,
  WRITE_WORDS,
} from './schema-change.sql.js';

/** Bytes of JSON that are in memory at once, unless a single entry has more. Parsed values take about ten times as much. */
const BATCH_BYTES = 2 * 1024 * 1024;

/** Counts at most this many entries that block a change. */
const MAX_COUNTED = 100_000;

/** Limit of the pattern worker's time for one change, in milliseconds. */
const PATTERN_MS = 30_000;

/** Maps parameters of the statements to properties of index rows. */
const INDEXED_VALUES = { ids: 'id', fields: 'field', keys: 'key', discriminators: 'discriminator' } as const;

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

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
  return plan.retired;
}

class SchemaChange {
  private readonly tenantId: string;
  private readonly typeId: string;
  /** A separate key for the turns of heavy work, so that the work is not rejected when many requests of the tenant wait. */
  private readonly turn: string;
  private readonly conflicting = new Set<string>();
  private readonly patternTime = new TimeBudget(PATTERN_MS);

  constructor(
    private readonly transaction: Transaction,
    private readonly type: ContentType,
    private readonly plan: SchemaChangePlan,
  ) {
    this.tenantId = type.tenantId;
    this.typeId = type.id;
    this.turn = `changes/${type.tenantId}`;
  }

  async run(): Promise<void> {
    await this.query(REMOVE_UNIQUES, { typeId: this.typeId, fields: this.plan.uniquesToRenew });
    let after = FIRST_ID;
    for (;;) {
      const sizes = await this.query(NEXT_SIZES, { typeId: this.typeId, after });
      for (const [first, last] of batchesOf(sizes)) {
        await this.change(await this.query(ENTRIES_BETWEEN, { typeId: this.typeId, first, last }));
        if (this.conflicting.size >= MAX_COUNTED) throw conflict(`At least ${MAX_COUNTED} entries have`);
      }
      const next = sizes.at(-1);
      if (!next) break;
      after = next.id;
    }
    const count = this.conflicting.size;
    if (count > 0) throw conflict(count === 1 ? '1 entry has' : `${count} entries have`);
  }

  private async change(rows: readonly StoredRow[]): Promise<void> {
    const entries = await this.inSteps(each(rows, (row) => this.plan.check(row)));
    await this.matchDeferredPatterns(entries);
    for (const id of await this.withMissingTargets(entries)) this.conflicting.add(id);
    for (const { id, findings } of entries) if (findings.errors.length > 0) this.conflicting.add(id);
    const fitting = entries.filter(({ findings }) => findings.errors.length === 0);
    // Once an entry blocks the change, nothing will be stored. The remaining entries are only checked and counted.
    if (this.conflicting.size === 0)
      await this.write(await this.inSteps(each(fitting, (one) => this.plan.change(one))));
    const uniques = await this.inSteps(each(fitting, (entry) => this.plan.uniques(entry)));
    for (const id of await this.claim(uniques.flat())) this.conflicting.add(id);
  }

  /** Matches the deferred patterns. Each match has its own effort, as if its entry were written now. */
  private async matchDeferredPatterns(entries: readonly CheckedEntry[]): Promise<void> {
    const deferred = entries.filter(({ findings }) => findings.later.length > 0);
    const matches = deferred.flatMap(({ findings }) => findings.later);
    if (matches.length === 0) return;
    const limits = { timeBudget: this.patternTime };
    const answers = await patternRunner.matches(this.turn, matches, limits).catch((error: unknown) => {
      throw error instanceof PatternsTooCostlyError ? tooCostly() : error;
    });
    let next = 0;
    for (const { findings } of deferred) {
      const count = findings.later.length;
      findings.settle(answers.slice(next, next + count));
      next += count;
    }
  }

  /** The entries with a reference that does not exist in the field's new content type. */
  private async withMissingTargets(entries: readonly CheckedEntry[]): Promise<string[]> {
    const references = this.plan.retargeted.flatMap((field) => {
      const types = targetsOf(this.type.targets, field);
      return entries.flatMap(({ id, values }) =>
        ([values[field] ?? []].flat() as string[]).map((to) => ({ id, types, to })),
      );
    });
    if (references.length === 0) return [];
    const sought = await this.inSteps(lookUps(references));
    const missing = await this.transaction.query(this.tenantId, MISSING_REFERENCES, sought);
    return missing.flatMap(({ place }) => references[place]?.id ?? []);
  }

  /** Claims the values of unique fields. Returns the entries whose value is taken, and the entries that have it. */
  private async claim(wanted: readonly UniqueOfEntry[]): Promise<string[]> {
    if (wanted.length === 0) return [];
    const claim = await this.inSteps(columns(wanted, { ids: 'id', fields: 'field', values: 'key' } as const));
    const claimed = await this.query(ADD_UNIQUES, { typeId: this.typeId, ...claim });
    const names = new Set(claimed.map(({ id, field, value }) => `${id} ${field} ${value}`));
    const refused = wanted.filter(({ id, field, key }) => !names.has(`${id} ${field} ${key}`));
    if (refused.length === 0) return [];
    const taken = await this.inSteps(columns(refused, { fields: 'field', values: 'key' } as const));
    const owners = await this.query(OWNERS, { typeId: this.typeId, ...taken });
    return [...refused, ...owners].map(({ id }) => id);
  }

  private async write(entries: readonly ChangedEntry[]): Promise<void> {
    const changed = entries.flatMap(({ id, content }) => (content ? [{ id, ...content }] : []));
    await this.writeRows(WRITE_ENTRIES, changed, { ids: 'id', fields: 'fields', retired: 'retired' });
    const reworded = entries.flatMap(({ id, document }) => {
      const { words, gaps, sequence } = documentColumns(document);
      return document ? [{ id, words, gaps: String(gaps), sequence }] : [];
    });
    await this.writeRows(WRITE_WORDS, reworded, { ids: 'id', words: 'words', gaps: 'gaps', sequences: 'sequence' });
    await this.learn(new Set(entries.flatMap(({ document }) => document?.vocabulary ?? [])));
    const removed = entries.flatMap((entry) => entry.removed);
    await this.writeRows(REMOVE_VALUES, removed, INDEXED_VALUES);
    const added = entries.flatMap((entry) => entry.added);
    await this.writeRows(ADD_VALUES, added, INDEXED_VALUES);
  }

  /** Adds words to the dictionary of the type. */
  private async learn(words: ReadonlySet<string>): Promise<void> {
    if (words.size === 0) return;
    const rows = Array.from(words, (word) => ({ word }));
    await this.query(LEARN_WORDS, { typeId: this.typeId, ...(await this.inSteps(columns(rows, { words: 'word' }))) });
  }

  private async writeRows<Parameter extends string, Property extends string>(
    statement: Statement<{ typeId: string } & Record<NoInfer<Parameter>, TextArray>, never>,
    rows: readonly Readonly<Record<Property, string | null>>[],
    names: Readonly<Record<Parameter, Property>>,
  ): Promise<void> {
    if (rows.length === 0) return;
    await this.query(statement, { typeId: this.typeId, ...(await this.inSteps(columns(rows, names))) });
  }

  private query<Parameters, Row>(
    statement: Statement<Parameters, Row>,
    parameters: NoInfer<Parameters>,
  ): Promise<Row[]> {
    return this.transaction.query(this.tenantId, statement, parameters);
  }

  private inSteps<Result>(steps: Steps<Result>): Promise<Result> {
    return heavyWork.run(this.turn, steps);
  }
}

function* each<Item, Result>(items: readonly Item[], work: (item: Item) => Steps<Result>): Steps<Result[]> {
  const results: Result[] = [];
  for (const item of items) {
    results.push(yield* work(item));
    yield;
  }
  return results;
}

/** Returns the first and last ID of each batch of at most `BATCH_BYTES`. A larger entry has its own batch. */
function batchesOf(sizes: readonly { id: string; bytes: number }[]): [first: string, last: string][] {
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

function conflict(subject: string): Problem {
  const detail = `${subject} values that the new fields do not allow. Nothing was changed.`;
  return new Problem('conflict', detail, [{ path: 'fields', code: 'stored_values', message: detail }]);
}

function tooCostly(): Problem {
  const detail =
    'Checking the stored values against the new patterns takes too long. Nothing was changed. Use simpler ' +
    'patterns.';
  return new Problem('conflict', detail, [{ path: 'fields', code: 'too_costly', message: detail }]);
}
