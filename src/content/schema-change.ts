import { heavyWork } from '../admission/heavy-work.js';
import type { Steps } from '../admission/steps.js';
import type { Statement, Transaction, Value } from '../database/database.js';
import { columns } from '../database/text-array.js';
import { Problem } from '../errors/problem.js';
import type { FieldDefinition } from '../fields/field-definition.js';
import { patternRunner, PatternsTooCostlyError, TimeBudget } from '../fields/pattern-runner.js';
import { parseId } from '../ids/type-id.js';
import type { ContentType } from './content-type.entity.js';
import { MISSING_REFERENCES } from './entries/entries.sql.js';
import type { CheckedEntry, Restated, RestatementPlan, StoredRow, UniqueOfEntry } from './restatement-plan.js';
import {
  ADD_UNIQUES,
  ADD_VALUES,
  ENTRIES_BETWEEN,
  NEXT_SIZES,
  OWNERS,
  REMOVE_UNIQUES,
  REMOVE_VALUES,
  WRITE_ENTRIES,
  WRITE_WORDS,
} from './restatement.sql.js';

/** Bytes of JSON that are in memory at once, unless one entry has more. Its values take some ten times as much. */
const BATCH_BYTES = 2 * 1024 * 1024;

/** Entries in the way that are counted. */
const MAX_COUNTED = 100_000;

/** What the patterns of one change may take of the pattern worker, in milliseconds. */
const PATTERN_MS = 30_000;

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Brings every stored entry from one schema of its type to the next: hides the values of removed fields, shows those of fields that
 * return, checks what was tightened, and writes index, unique values and search text anew where they differ. The type's row must be
 * locked. Returns the definitions that are retired from now on. 409 with the number of entries whose values are in the way.
 */
export async function restateEntries(
  transaction: Transaction,
  type: ContentType,
  plan: RestatementPlan,
): Promise<FieldDefinition[]> {
  if (plan.concernsEntries) await new Restatement(transaction, type, plan).run();
  return plan.retired;
}

class Restatement {
  private readonly tenantId: string;
  private readonly typeId: string;
  /** The work takes turns as that of one more tenant, so that it is not refused when many requests of the tenant wait. */
  private readonly turn: string;
  private readonly inTheWay = new Set<string>();
  private readonly patternTime = new TimeBudget(PATTERN_MS);

  constructor(
    private readonly transaction: Transaction,
    private readonly type: ContentType,
    private readonly plan: RestatementPlan,
  ) {
    this.tenantId = type.tenantId;
    this.typeId = type.id;
    this.turn = `changes/${type.tenantId}`;
  }

  async run(): Promise<void> {
    await this.transaction.query(this.tenantId, REMOVE_UNIQUES, [this.typeId, this.plan.uniquesToRenew]);
    let last = FIRST_ID;
    for (;;) {
      const sizes = await this.query<{ id: string; bytes: number }>(NEXT_SIZES, [last]);
      for (const [first, end] of batchesOf(sizes)) {
        await this.restate(await this.query<StoredRow>(ENTRIES_BETWEEN, [first, end]));
        if (this.inTheWay.size >= MAX_COUNTED) throw conflict(`At least ${MAX_COUNTED} entries have`);
      }
      const next = sizes.at(-1);
      if (!next) break;
      last = next.id;
    }
    const count = this.inTheWay.size;
    if (count > 0) throw conflict(count === 1 ? '1 entry has' : `${count} entries have`);
  }

  private async restate(rows: readonly StoredRow[]): Promise<void> {
    const entries = await this.inSteps(each(rows, (row) => this.plan.check(row)));
    await this.settlePatterns(entries);
    for (const id of await this.misdirected(entries)) this.inTheWay.add(id);
    for (const { id, findings } of entries) if (findings.errors.length > 0) this.inTheWay.add(id);
    const fitting = entries.filter(({ findings }) => findings.errors.length === 0);
    // Once something is in the way nothing will be kept: what follows is only looked through and counted.
    if (this.inTheWay.size === 0) await this.write(await this.inSteps(each(fitting, (one) => this.plan.restate(one))));
    const uniques = await this.inSteps(each(fitting, (entry) => this.plan.uniques(entry)));
    for (const id of await this.claim(uniques.flat())) this.inTheWay.add(id);
  }

  /** Looks for the patterns that were left for later. Each match has an effort of its own, as if its entry were written now. */
  private async settlePatterns(entries: readonly CheckedEntry[]): Promise<void> {
    const unsettled = entries.filter(({ findings }) => findings.later.length > 0);
    const matches = unsettled.flatMap(({ findings }) => findings.later);
    if (matches.length === 0) return;
    const limits = { timeBudget: this.patternTime };
    const answers = await patternRunner.matches(this.turn, matches, limits).catch((error: unknown) => {
      throw error instanceof PatternsTooCostlyError ? tooCostly() : error;
    });
    let next = 0;
    for (const { findings } of unsettled) {
      const count = findings.later.length;
      findings.settle(answers.slice(next, next + count));
      next += count;
    }
  }

  /** The entries that refer to something which is not there in the content type that a field names from now on. */
  private async misdirected(entries: readonly CheckedEntry[]): Promise<string[]> {
    const { targets } = this.type;
    const references = this.plan.retargeted.flatMap((field) =>
      entries.flatMap(({ id, values }) =>
        ([values[field] ?? []].flat() as string[]).map((named) => ({
          id,
          type: targets[field] ?? null,
          to: parseId('ent', named) ?? null,
        })),
      ),
    );
    if (references.length === 0) return [];
    const missing = await this.transaction.query<{ place: number }>(
      this.tenantId,
      MISSING_REFERENCES,
      await this.inSteps(columns(references, ['type', 'to'])),
    );
    return missing.flatMap(({ place }) => references[place - 1]?.id ?? []);
  }

  /** Claims the values of unique fields; returns the entries that want one which another has, and those that have it. */
  private async claim(wanted: readonly UniqueOfEntry[]): Promise<string[]> {
    if (wanted.length === 0) return [];
    const claimed = await this.query<{ id: string; field: string; value: string }>(
      ADD_UNIQUES,
      await this.inSteps(columns(wanted, ['id', 'field', 'key'])),
    );
    const names = new Set(claimed.map(({ id, field, value }) => `${id} ${field} ${value}`));
    const refused = wanted.filter(({ id, field, key }) => !names.has(`${id} ${field} ${key}`));
    if (refused.length === 0) return [];
    const owners = await this.query<{ id: string }>(OWNERS, await this.inSteps(columns(refused, ['field', 'key'])));
    return [...refused, ...owners].map(({ id }) => id);
  }

  private async write(entries: readonly Restated[]): Promise<void> {
    const changed = entries.flatMap(({ id, content }) => (content ? [{ id, ...content }] : []));
    await this.writeRows(WRITE_ENTRIES, changed, ['id', 'fields', 'retired']);
    const reworded = entries.flatMap(({ id, words }) => (words === undefined ? [] : [{ id, words }]));
    await this.writeRows(WRITE_WORDS, reworded, ['id', 'words']);
    const rows = ['id', 'field', 'key', 'mark'] as const;
    await this.writeRows(
      REMOVE_VALUES,
      entries.flatMap(({ removed }) => removed),
      rows,
    );
    await this.writeRows(
      ADD_VALUES,
      entries.flatMap(({ added }) => added),
      rows,
    );
  }

  private async writeRows<Name extends string>(
    statement: Statement,
    rows: readonly Record<Name, string | null>[],
    names: readonly Name[],
  ): Promise<void> {
    if (rows.length > 0) await this.query(statement, await this.inSteps(columns(rows, names)));
  }

  private query<Row>(statement: Statement, values: readonly Value[]): Promise<Row[]> {
    return this.transaction.query<Row>(this.tenantId, statement, [this.typeId, ...values]);
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

/** The first and last ids of batches that keep within the bytes; an entry that does not has a batch of its own. */
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

function conflict(subject: string): Problem {
  const detail = `${subject} values that the new fields do not allow. Nothing was changed.`;
  return new Problem('conflict', detail, [{ path: 'fields', code: 'stored_values', message: detail }]);
}

function tooCostly(): Problem {
  const detail =
    'To look for the new patterns in the stored values takes too long. Nothing was changed. Choose simpler patterns.';
  return new Problem('conflict', detail, [{ path: 'fields', code: 'too_costly', message: detail }]);
}
