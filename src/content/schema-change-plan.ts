import type { Steps } from '../admission/steps.js';
import { compareSchemas, type FieldChange, isRedirected } from '../fields/changes.js';
import { Findings } from '../fields/check.js';
import { type IndexRow, rowKey } from '../fields/compiled-field.js';
import type { FieldDefinition } from '../fields/field-definition.js';
import { Schema } from '../fields/schema.js';
import { parseSteps } from '../json/parse-steps.js';
import { stringifySteps } from '../json/stringify-steps.js';
import type { SearchDocument } from '../search/search-vector.js';
import type { Stemmer } from '../search/stemmer.js';
import { type ContentType, targetsOf } from './content-type.entity.js';
import { documentOf } from './entries/entry-writes.js';
import type { StoredRow } from './schema-change.sql.js';

type Values = Record<string, unknown>;
type RowOfEntry = IndexRow & { id: string };
export type UniqueOfEntry = Omit<RowOfEntry, 'discriminator'>;

/** An entry after its values were moved and checked, except for patterns that are matched later. */
export interface CheckedEntry {
  id: string;
  before: Values;
  values: Values;
  retired: Values;
  /** Whether values were moved to or from `retired`. */
  isMoved: boolean;
  findings: Findings;
}

/** The new contents of an entry's rows, as far as they change. */
export interface ChangedEntry {
  id: string;
  content?: { fields: string; retired: string | null };
  document?: SearchDocument;
  removed: RowOfEntry[];
  added: RowOfEntry[];
}

/** Determines what a change of a content type's fields or language means for its entries. Considers only the fields that change. */
export class SchemaChangePlan {
  /** The retired definitions after the change. */
  readonly retired: FieldDefinition[];
  readonly uniquesToRenew: string[];
  /** Reference fields that no longer refer to a content type that they referred to before, or when they were removed. */
  readonly retargeted: string[];
  /** False if the change cannot affect stored values (a new field, a label, a wider limit). */
  readonly concernsEntries: boolean;
  private readonly typeId: string;
  private readonly old: Schema;
  private readonly next: Schema;
  private readonly removed: FieldDefinition[];
  private readonly returning: FieldDefinition[];
  private readonly rechecked: string[];
  private readonly reindexed: string[];
  private readonly rewritten: string[];
  /** Whether the search documents of all entries change: another order of the fields, another title, another language. */
  private readonly rewritesAll: boolean;

  /** `stem` is of the language after the change. */
  constructor(
    before: ContentType,
    after: ContentType,
    private readonly stem?: Stemmer,
  ) {
    this.typeId = after.id;
    this.old = Schema.compile(before.fields, 'content');
    this.next = Schema.compile(after.fields, 'content');
    const changes = compareSchemas(before.fields, after.fields);
    const names = (test: (change: FieldChange) => boolean) => changes.filter(test).map(({ name }) => name);
    const removed = new Set(names(({ change }) => change === 'removed'));
    const added = new Set(names(({ change }) => change === 'added'));
    const wasRetired = new Map(before.retired.map((field) => [valueKey(field), field]));

    this.removed = before.fields.filter(({ name }) => removed.has(name));
    this.returning = after.fields.filter((field) => added.has(field.name) && wasRetired.has(valueKey(field)));
    this.rechecked = names(({ recheck }) => recheck);
    this.reindexed = names(({ reindex }) => reindex);
    this.rewritten = names(({ rewriteWords }) => rewriteWords);
    this.uniquesToRenew = names(({ unique }) => unique !== undefined);
    const isRetitled = this.old.title?.name !== this.next.title?.name;
    const isTranslated = before.language !== after.language;
    this.rewritesAll = isRetitled || isTranslated || order(this.old, this.next) !== order(this.next, this.old);
    const redirected = this.returning.filter((field) => {
      const retired = wasRetired.get(valueKey(field));
      return retired !== undefined && isRedirected(retired, field);
    });
    this.retargeted = [
      ...Object.keys(after.targets).filter((name) => {
        const allowed = targetsOf(after.targets, name);
        return targetsOf(before.targets, name).some((id) => !allowed.includes(id));
      }),
      ...redirected.map(({ name }) => name),
    ];
    const returned = new Set(this.returning.map(valueKey));
    const replaced = new Set(this.removed.map(valueKey));
    this.retired = [
      ...before.retired.filter((field) => !returned.has(valueKey(field)) && !replaced.has(valueKey(field))),
      ...this.removed,
    ];
    this.concernsEntries =
      isRetitled ||
      isTranslated ||
      this.returning.length > 0 ||
      this.retargeted.length > 0 ||
      changes.some(({ change }) => change !== 'added');
  }

  /** Moves an entry's values and checks them against the tightened definitions. */
  *check({ id, fields, retired }: StoredRow): Steps<CheckedEntry> {
    const before = (yield* parseSteps(fields)) as Values;
    const moves = this.removed.length + this.returning.length > 0;
    const entry: CheckedEntry = {
      id,
      before,
      values: moves ? { ...before } : before,
      retired: moves && retired !== null ? ((yield* parseSteps(retired)) as Values) : {},
      isMoved: false,
      findings: new Findings(),
    };
    for (const field of this.removed) {
      if (move(entry.values, field.name, entry.retired, valueKey(field))) entry.isMoved = true;
    }
    for (const field of this.returning) {
      if (move(entry.retired, valueKey(field), entry.values, field.name)) entry.isMoved = true;
    }
    for (const name of this.rechecked) {
      if (!Object.hasOwn(entry.values, name)) continue;
      this.next.field(name)?.inspect(entry.values[name], entry.findings);
      // One error is enough to block the change.
      if (entry.findings.errors.length > 0) break;
      yield;
    }
    return entry;
  }

  /** Returns the changes to write for an entry whose values are valid. */
  *change(entry: CheckedEntry): Steps<ChangedEntry> {
    const { id, before, values, retired } = entry;
    const changed: ChangedEntry = { id, removed: [], added: [] };
    if (entry.isMoved) {
      changed.content = {
        fields: yield* stringifySteps(values),
        retired: Object.keys(retired).length > 0 ? yield* stringifySteps(retired) : null,
      };
    }
    const holds = (name: string) => Object.hasOwn(before, name) || Object.hasOwn(values, name);
    if (this.rewritesAll || this.rewritten.some(holds)) {
      changed.document = yield* documentOf({ id: this.typeId, schema: this.next, stem: this.stem }, values);
    }
    for (const name of this.reindexed.filter(holds)) {
      const [old, next] = [this.old.field(name), this.next.field(name)];
      const had = old ? yield* this.old.indexRowsOf(old, before) : [];
      const has = next ? yield* this.next.indexRowsOf(next, values) : [];
      changed.removed.push(...missingFrom(has, had).map((row) => ({ ...row, id })));
      changed.added.push(...missingFrom(had, has).map((row) => ({ ...row, id })));
      yield;
    }
    return changed;
  }

  /** Returns the unique values that an entry with valid values must claim. */
  *uniques({ id, values }: CheckedEntry): Steps<UniqueOfEntry[]> {
    const uniques: UniqueOfEntry[] = [];
    for (const name of this.uniquesToRenew) {
      const field = this.next.field(name);
      if (!field) continue;
      for (const { key } of yield* this.next.uniquesOf(field, values)) uniques.push({ field: name, key, id });
      yield;
    }
    return uniques;
  }
}

/** The key of a removed field's stored values. Only a field of the same name and type restores them. */
function valueKey({ name, type, multiple }: FieldDefinition): string {
  return `${name}/${type}${multiple ? '[]' : ''}`;
}

/** Moves a value. Returns false if it does not exist. */
function move(from: Values, name: string, to: Values, newName: string): boolean {
  if (!Object.hasOwn(from, name)) return false;
  to[newName] = from[name];
  delete from[name];
  return true;
}

/** The order of the searchable fields that both schemas have. */
function order(one: Schema, other: Schema): string {
  const shared = one.fields.filter(({ name, searchable }) => searchable && other.field(name)?.searchable);
  return shared.map(({ name }) => name).join();
}

function missingFrom(rows: readonly IndexRow[], others: readonly IndexRow[]): IndexRow[] {
  const names = new Set(rows.map(rowKey));
  return others.filter((row) => !names.has(rowKey(row)));
}
