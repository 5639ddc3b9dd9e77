import type { Transaction } from '../database/database.js';
import { Problem } from '../errors/problem.js';
import { compareSchemas } from '../fields/changes.js';
import { type IndexRow, nameOfRow } from '../fields/compiled-field.js';
import type { FieldDefinition } from '../fields/field-definition.js';
import { Schema } from '../fields/schema.js';
import { parseId } from '../ids/type-id.js';
import type { ContentType } from './content-type.entity.js';
import { MISSING_REFERENCES } from './entries/entries.sql.js';
import { searchVector } from '../search/search-vector.js';
import { partitionOf } from '../search/words.js';

const BATCH = 500;

const NEXT_ENTRIES = {
  name: 'restatement.next',
  text: `SELECT id, fields, retired FROM entries
    WHERE tenant_id = $1 AND content_type_id = $2 AND id > $3 ORDER BY id LIMIT ${BATCH}`,
};

const WRITE_ENTRIES = {
  name: 'restatement.write',
  text: `UPDATE entries e SET fields = n.fields::json, retired = n.retired::json, version = e.version + 1
    FROM unnest($3::uuid[], $4::text[], $5::text[]) AS n (id, fields, retired)
    WHERE e.tenant_id = $1 AND e.content_type_id = $2 AND e.id = n.id`,
};

const WRITE_WORDS = {
  name: 'restatement.write_words',
  text: `UPDATE entry_words x SET words = n.words::tsvector
    FROM unnest($3::uuid[], $4::text[]) AS n (id, words)
    WHERE x.tenant_id = $1 AND x.content_type_id = $2 AND x.entry_id = n.id`,
};

const REMOVE_VALUES = {
  name: 'restatement.remove_values',
  text: `DELETE FROM entry_values x USING unnest($3::uuid[], $4::text[], $5::text[], $6::text[]) AS v (id, field, key, mark)
    WHERE x.tenant_id = $1 AND x.content_type_id = $2 AND x.field = v.field AND x.sort_key = v.key AND x.mark = v.mark
      AND x.entry_id = v.id`,
};

const ADD_VALUES = {
  name: 'restatement.add_values',
  text: `INSERT INTO entry_values (tenant_id, content_type_id, field, sort_key, mark, entry_id)
    SELECT $1, $2, v.field, v.key, v.mark, v.id
    FROM unnest($3::uuid[], $4::text[], $5::text[], $6::text[]) AS v (id, field, key, mark)`,
};

const REMOVE_UNIQUES = {
  name: 'restatement.remove_uniques',
  text: `DELETE FROM entry_uniques WHERE tenant_id = $1 AND content_type_id = $2 AND field = ANY ($3::text[])`,
};

/** Answers the values that nobody had. */
const ADD_UNIQUES = {
  name: 'restatement.add_uniques',
  text: `INSERT INTO entry_uniques (tenant_id, content_type_id, field, value, entry_id)
    SELECT $1, $2, v.field, v.value, v.id FROM unnest($3::uuid[], $4::text[], $5::text[]) AS v (id, field, value)
    ON CONFLICT DO NOTHING RETURNING entry_id AS id, field, value`,
};

/** The entries that hold these values. */
const OWNERS = {
  name: 'restatement.owners',
  text: `SELECT x.entry_id AS id FROM unnest($3::text[], $4::text[]) AS v (field, value)
    JOIN entry_uniques x ON x.tenant_id = $1 AND x.content_type_id = $2 AND x.field = v.field AND x.value = v.value`,
};

interface StoredRow {
  id: string;
  fields: string;
  retired: string | null;
}

type Values = Record<string, unknown>;
type RowOfEntry = IndexRow & { id: string };
type UniqueOfEntry = Omit<RowOfEntry, 'mark'>;

/**
 * Brings every stored entry from one schema of its type to the next: hides the values of removed fields, shows those of fields that
 * return, checks what was tightened, and writes index, unique values and search text anew where they differ. The type's row must be
 * locked. Returns the definitions that are retired from now on. 409 with the number of entries whose values are in the way.
 *
 * A change that no stored value can feel (a new field, a label, a wider limit) reads no entry.
 */
export async function restateEntries(
  transaction: Transaction,
  before: ContentType,
  after: ContentType,
): Promise<FieldDefinition[]> {
  const plan = new Plan(before, after);
  if (plan.concernsEntries) {
    const { tenantId, id: typeId } = after;
    await transaction.query(tenantId, REMOVE_UNIQUES, [typeId, plan.uniquesToRenew]);
    const inTheWay = new Set<string>();
    let next = '00000000-0000-0000-0000-000000000000';
    for (;;) {
      const rows = await transaction.query<StoredRow>(tenantId, NEXT_ENTRIES, [typeId, next]);
      const restated = rows.map((row) => plan.restate(row));
      const unfit = [
        ...restated.filter(({ fits }) => !fits).map(({ id }) => id),
        ...(await misdirected(transaction, after, plan.retargeted, restated)),
      ];
      // Once something is in the way nothing will be kept: what follows is only looked through and counted.
      if (unfit.length === 0 && inTheWay.size === 0) await write(transaction, tenantId, typeId, restated);
      unfit.push(...(await claimUniques(transaction, tenantId, typeId, restated)));
      for (const id of unfit) inTheWay.add(id);
      const last = rows.at(-1);
      if (!last || rows.length < BATCH) break;
      next = last.id;
    }
    if (inTheWay.size > 0) throw conflict(inTheWay.size);
  }
  return plan.retired;
}

interface Restated {
  id: string;
  /** Whether the values match the new schema. */
  fits: boolean;
  /** What the row holds from now on; undefined when nothing of it changes. */
  content?: { fields: string; retired: string | null };
  /** Its search vector, if that changes. */
  words?: string;
  removed: RowOfEntry[];
  added: RowOfEntry[];
  uniques: UniqueOfEntry[];
  values: Values;
}

/** What has to be done to each entry. */
class Plan {
  readonly retired: FieldDefinition[];
  readonly concernsEntries: boolean;
  readonly uniquesToRenew: string[];
  /** Reference fields that name another content type than before, or than when they were removed. */
  readonly retargeted: string[];
  private readonly partition: string;
  private readonly old: Schema;
  private readonly next: Schema;
  private readonly removed: FieldDefinition[];
  private readonly returning: FieldDefinition[];
  private readonly rechecked: string[];

  constructor(before: ContentType, after: ContentType) {
    this.partition = partitionOf(after.id);
    this.old = Schema.compile(before.fields, 'content');
    this.next = Schema.compile(after.fields, 'content');
    const changes = compareSchemas(before.fields, after.fields);
    const names = (test: (change: (typeof changes)[number]) => boolean) => changes.filter(test).map(({ name }) => name);
    const removed = names(({ change }) => change === 'removed');
    const added = names(({ change }) => change === 'added');
    const wasRetired = new Set(before.retired.map(valueKey));

    this.removed = before.fields.filter(({ name }) => removed.includes(name));
    this.returning = after.fields.filter((field) => added.includes(field.name) && wasRetired.has(valueKey(field)));
    this.rechecked = names(({ recheck }) => recheck);
    this.uniquesToRenew = names(({ unique }) => unique !== undefined);
    this.retargeted = Object.keys(after.targets).filter((name) => {
      return before.targets[name] !== undefined && before.targets[name] !== after.targets[name];
    });
    const target = new Map(before.retired.map((field) => [valueKey(field), field.content_type]));
    const redirected = this.returning.filter((field) => field.content_type !== target.get(valueKey(field)));
    this.retargeted.push(...redirected.map(({ name }) => name));
    const returned = new Set(this.returning.map(valueKey));
    const replaced = new Set(this.removed.map(valueKey));
    this.retired = [
      ...before.retired.filter((field) => !returned.has(valueKey(field)) && !replaced.has(valueKey(field))),
      ...this.removed,
    ];
    this.concernsEntries =
      this.returning.length > 0 || this.retargeted.length > 0 || changes.some(({ change }) => change !== 'added');
  }

  restate({ id, fields, retired }: StoredRow): Restated {
    const old = JSON.parse(fields) as Values;
    const values = { ...old };
    const kept = JSON.parse(retired ?? '{}') as Values;
    for (const field of this.removed) move(values, field.name, kept, valueKey(field));
    for (const field of this.returning) move(kept, valueKey(field), values, field.name);

    const fits = this.rechecked.every((name) => {
      return !Object.hasOwn(values, name) || this.next.field(name)?.check(values[name]).length === 0;
    });
    if (!fits) return { id, fits, removed: [], added: [], uniques: [], values };

    const newFields = JSON.stringify(values);
    const text = this.next.searchText(values);
    const oldRows = this.old.indexRows(old);
    const newRows = this.next.indexRows(values);
    const had = new Set(oldRows.map(nameOfRow));
    const has = new Set(newRows.map(nameOfRow));
    return {
      id,
      fits,
      values,
      content:
        newFields === fields
          ? undefined
          : { fields: newFields, retired: Object.keys(kept).length > 0 ? JSON.stringify(kept) : null },
      words: text === this.old.searchText(old) ? undefined : searchVector(this.partition, text),
      removed: oldRows.filter((row) => !has.has(nameOfRow(row))).map((row) => ({ ...row, id })),
      added: newRows.filter((row) => !had.has(nameOfRow(row))).map((row) => ({ ...row, id })),
      uniques: this.next
        .uniques(values)
        .filter(({ field }) => this.uniquesToRenew.includes(field))
        .map(({ field, key }) => ({ field, key, id })),
    };
  }
}

/** A removed field's values are kept under its name and type: only a field of both brings them back. */
function valueKey({ name, type, multiple }: FieldDefinition): string {
  return `${name}/${type}${multiple ? '[]' : ''}`;
}

function move(from: Values, name: string, to: Values, newName: string): void {
  if (!Object.hasOwn(from, name)) return;
  to[newName] = from[name];
  delete from[name];
}

/** The entries that refer to something which is not there in the content type that a field names from now on. */
async function misdirected(
  transaction: Transaction,
  { tenantId, targets }: ContentType,
  fields: readonly string[],
  entries: readonly Restated[],
): Promise<string[]> {
  const references = fields.flatMap((field) =>
    entries.flatMap(({ id, values }) =>
      ([values[field] ?? []].flat() as string[]).map((named) => ({
        id,
        type: targets[field] ?? null,
        to: parseId('ent', named),
      })),
    ),
  );
  if (references.length === 0) return [];
  const missing = await transaction.query<{ place: number }>(tenantId, MISSING_REFERENCES, [
    references.map(({ type }) => type),
    references.map(({ to }) => to ?? null),
  ]);
  return missing.flatMap(({ place }) => references[place - 1]?.id ?? []);
}

/** Claims the values of unique fields; returns the entries that want one which another has, and those that have it. */
async function claimUniques(
  transaction: Transaction,
  tenantId: string,
  typeId: string,
  entries: readonly Restated[],
): Promise<string[]> {
  const wanted = entries.flatMap(({ uniques }) => uniques);
  if (wanted.length === 0) return [];
  const claimed = await transaction.query<{ id: string; field: string; value: string }>(tenantId, ADD_UNIQUES, [
    typeId,
    ...columns(wanted),
  ]);
  const names = new Set(claimed.map(({ id, field, value }) => `${id} ${field} ${value}`));
  const refused = wanted.filter(({ id, field, key }) => !names.has(`${id} ${field} ${key}`));
  if (refused.length === 0) return [];
  const [ids, ...values] = columns(refused);
  const owners = await transaction.query<{ id: string }>(tenantId, OWNERS, [typeId, ...values]);
  return [...ids, ...owners.map(({ id }) => id)];
}

async function write(
  transaction: Transaction,
  tenantId: string,
  typeId: string,
  entries: readonly Restated[],
): Promise<void> {
  const changed = entries.flatMap(({ id, content }) => (content ? [{ id, ...content }] : []));
  if (changed.length > 0) {
    await transaction.query(tenantId, WRITE_ENTRIES, [
      typeId,
      changed.map(({ id }) => id),
      changed.map(({ fields }) => fields),
      changed.map(({ retired }) => retired),
    ]);
  }
  const reworded = entries.flatMap(({ id, words }) => (words === undefined ? [] : [{ id, words }]));
  if (reworded.length > 0) {
    const values = [typeId, reworded.map(({ id }) => id), reworded.map(({ words }) => words)];
    await transaction.query(tenantId, WRITE_WORDS, values);
  }
  const removed = entries.flatMap((entry) => entry.removed);
  if (removed.length > 0) await transaction.query(tenantId, REMOVE_VALUES, [typeId, ...indexColumns(removed)]);
  const added = entries.flatMap((entry) => entry.added);
  if (added.length > 0) await transaction.query(tenantId, ADD_VALUES, [typeId, ...indexColumns(added)]);
}

function columns(rows: readonly UniqueOfEntry[]): [ids: string[], fields: string[], keys: string[]] {
  return [rows.map(({ id }) => id), rows.map(({ field }) => field), rows.map(({ key }) => key)];
}

function indexColumns(rows: readonly RowOfEntry[]): [ids: string[], fields: string[], keys: string[], marks: string[]] {
  return [...columns(rows), rows.map(({ mark }) => mark)];
}

function conflict(count: number): Problem {
  const subject = count === 1 ? '1 entry has' : `${count} entries have`;
  const detail = `${subject} values that the new fields do not allow. Nothing was changed.`;
  return new Problem('conflict', detail, [{ path: 'fields', code: 'stored_values', message: detail }]);
}
