import type { SlicedWork } from '../../admission/sliced-work.js';
import { compareSchemas, type FieldChange } from '../../fields/changes/changes.js';
import { Check, Validation } from '../../fields/check.js';
import { type CompiledField, type IndexNames, type IndexRow, rowKey } from '../../fields/compiled-field.js';
import { isRedirected } from '../../fields/constraints/targets.js';
import { type FieldDefinition, valueKey, valueType } from '../../fields/field-definition.js';
import { isMarked, mediaUrlOf } from '../../fields/formats/media-url.js';
import { definitionsInside } from '../../fields/changes/hidden-values.js';
import { addKeysInside } from '../../fields/changes/inner-values.js';
import { keyAfter, keyBefore, nameBefore, type Renames } from '../../fields/changes/renames.js';
import { ownName } from '../../fields/localized/localized-names.js';
import { type Reference, Schema } from '../../fields/schema.js';
import { parseSliced } from '../../json/parse-sliced.js';
import { stringifySliced } from '../../json/stringify-sliced.js';
import type { SearchDocument } from '../../search/search-vector.js';
import type { IndexedType } from '../schemas.js';
import { documentsIn, type WrittenDocument } from '../words/document-changes.js';
import { type ContentType, targetsOf } from '../content-type.entity.js';
import { documentOf } from '../entries/writes/stored-form.js';
import { type DerivedChange, derivedChanges, fieldsOfDerived } from './derived-changes.js';
import { EntryMoves } from './entry-moves.js';
import { mapLeaves } from '../map-leaves.js';
import type { StoredRow } from './schema-change.sql.js';
import { storedRenames } from './stored-renames.js';
import { type LoggedMove, loggedMoves, ValueMoves } from './value-moves.js';
import { valuesJson } from '../values-json.js';

type Values = Record<string, unknown>;
type RowOfEntry = IndexRow & { id: string };
export type UniqueOfEntry = Omit<RowOfEntry, 'discriminator'>;

/** An entry after its values were moved and checked, except for patterns that are matched later. */
export interface CheckedEntry {
  id: string;
  before: Values;
  values: Values;
  retired: Values;
  /** The values of removed fields as they are stored, which stay so if the change moves no values. */
  storedRetired: string | null;
  /** Whether values must be written: they were moved to or from `retired`, or converted, or name files in another way. */
  isMoved: boolean;
  /**
   * The keys of the fields that the change concerns and of which the entry has a value, after the change, or as `removedKey` has them. A
   * thorough check lists all fields.
   */
  concerned: string[];
  validation: Validation;
}

/** The new contents of an entry's rows, as far as they change. */
export interface ChangedEntry {
  id: string;
  content?: { fields: string; retired: string | null };
  document?: SearchDocument;
  /** All documents in locales. Undefined if they are unchanged. */
  documents?: readonly (WrittenDocument & { id: string })[];
  removed: RowOfEntry[];
  added: RowOfEntry[];
}

/** What an update does to the list of fields. */
interface Redefinition {
  /** Fields that get another name, at all levels. */
  renames: Renames;
}

/** Determines what a change of a content type's fields or language means for its entries. Considers only the fields that change. */
export class SchemaChangePlan {
  /** The retired definitions after the change. */
  readonly retired: FieldDefinition[];
  /** The fields whose unique values are removed before others are claimed. Old names, and new ones that take the place of others. */
  readonly uniquesToRemove: string[];
  /** The keys of reference fields that no longer refer to a content type that they referred to before, or when they were removed. */
  readonly retargeted: string[];
  /** False if the change cannot affect stored values (a new field, a label, a wider limit). */
  readonly concernsEntries: boolean;
  /** What becomes of the values of drafts and old versions, as the log has it. */
  readonly log: LoggedMove[];
  /** The same, to be applied. */
  readonly moves: ValueMoves;
  /** The names of fields in the indexes after the change. */
  readonly indexNames: IndexNames | null;
  readonly changes: readonly FieldChange[];
  /** All fields before and after the change. */
  private readonly pairs: readonly Pick<FieldChange, 'before' | 'after'>[];
  /** The keys of the definitions and blocks inside fields after the change. */
  private readonly keysInside: ReadonlySet<string>;
  readonly old: Schema;
  readonly next: Schema;
  private readonly typeId: string;
  private readonly entryMoves: EntryMoves;
  readonly renames: Renames;
  readonly movesEntries: boolean;
  /** Whether values become those of media fields, or stop being that. Then `isFileBase` must be set before the change is made. */
  readonly changesMedia: boolean;
  /** Whether an entry blocks the change if a value of it would be hidden. */
  keepsValues = false;
  /** Whether URLs with this base may be those of files of the service. */
  isFileBase: (base: string) => boolean = () => false;
  /** The derived fields whose rows may change, before and after. */
  private readonly derived: DerivedChange[];
  private readonly rechecked: FieldChange[];
  private readonly reindexed: FieldChange[];
  private readonly rewritten: FieldChange[];
  private readonly uniquesToClaim: CompiledField[];
  /** Whether the search documents of all entries change: another order of the fields, another title, another language. */
  private readonly rewritesAll: boolean;

  /**
   * `searched` is how entries are searched after the change. `isOnline`: new index rows are written beside the old ones, under names that no field has had.
   */
  constructor(
    before: ContentType,
    after: ContentType,
    { renames: ownRenames }: Redefinition = { renames: new Map() },
    private readonly searched: Pick<IndexedType, 'stem' | 'localeSearch'> = { stem: undefined },
    isOnline = false,
  ) {
    this.typeId = after.id;
    const renames = storedRenames(ownRenames, before, after);
    this.renames = renames;
    const { fields: definitions, indexNames: oldNames } = before;
    this.old = Schema.compile(definitions, 'content', oldNames, before.locales);
    const next = Schema.compile(after.fields, 'content', null, after.locales);
    const retired = renamedDefinitions(before.retired, next, renames);
    const wasRetired = new Map(retired.map((field) => [valueKey(field), field]));
    const known = { renames, returning: new Set(wasRetired.keys()) };
    const changes = compareSchemas(this.old, next, known);
    const ending = isOnline ? `~${after.version}` : '';
    const derivedNames = derivedChanges(this.old, next, changes).map(({ name }) => name);
    this.indexNames = indexNamesAfter(changes, derivedNames, oldNames, next, ending);
    this.next = Schema.compile(after.fields, 'content', this.indexNames, after.locales);
    this.changes = compareSchemas(this.old, this.next, known);
    this.derived = derivedChanges(this.old, this.next, this.changes);
    const kept = new Set(this.next.fields.map((field) => nameBefore(field, renames)));
    this.pairs = [
      ...this.old.fields.flatMap((field) => (kept.has(field.name) ? [] : { before: field })),
      ...this.next.fields.map((field) => ({ before: this.old.field(nameBefore(field, renames)), after: field })),
    ];
    this.log = loggedMoves(this.old, this.next, { renames, retired: before.retired });
    this.moves = ValueMoves.ofLog(this.log);
    const ownMoves = ValueMoves.of(this.changes, renames);

    const removed = this.changes.flatMap(({ before: field, after: next }) => (field && !next ? field.definition : []));
    const returning = this.changes.flatMap(({ before: field, after: next }) =>
      !field && next && wasRetired.has(valueKey(next.definition)) ? next.definition : [],
    );
    this.rechecked = this.changes.filter(({ recheck }) => recheck);
    this.reindexed = this.changes.filter(({ reindex }) => reindex);
    this.rewritten = this.changes.filter(({ rewriteWords }) => rewriteWords);
    const renewed = this.changes.filter(({ unique }) => unique !== undefined);
    this.uniquesToRemove = [
      ...new Set(
        renewed.flatMap(({ before: field, after: next }) => [field?.indexName ?? [], next?.indexName ?? []].flat()),
      ),
    ];
    this.uniquesToClaim = renewed.flatMap(({ after: next }) => next ?? []);
    const title = this.next.title && nameBefore(this.next.title, renames);
    const isRetitled = this.old.title?.name !== title;
    const isTranslated = before.language !== after.language;
    this.rewritesAll = isRetitled || isTranslated || this.isReordered();
    this.keysInside = new Set(this.next.fields.flatMap(definitionsInside).map(({ name }) => name));
    const inside = this.definitionsInside(wasRetired);
    const returned = [...returning, ...inside.returning];
    const redirected = returned.filter((field) => {
      const earlier = wasRetired.get(valueKey(field));
      return earlier !== undefined && isRedirected(earlier, field);
    });
    this.retargeted = [
      ...Object.keys(after.targets).filter((key) => {
        const allowed = targetsOf(after.targets, key);
        const earlier = keyBefore(key, this.next, renames);
        const had = this.old.leafFields.find((field) => field.key === earlier);
        if (had && had.definition.type !== 'reference') return true;
        return targetsOf(before.targets, earlier).some((id) => !allowed.includes(id));
      }),
      ...redirected.map(({ name }) => name),
    ];
    const hidden = [...removed, ...inside.hidden];
    const gone = new Set([...returned, ...hidden].map(valueKey));
    this.retired = [...retired.filter((field) => !gone.has(valueKey(field))), ...hidden];
    this.entryMoves = new EntryMoves({
      removed,
      returning,
      reshaped: inside.reshaped,
      changes: this.changes,
      renames,
      ownMoves,
    });
    this.movesEntries = !this.entryMoves.isEmpty;
    this.changesMedia =
      (this.old.hasMedia || this.next.hasMedia) &&
      (renames.size > 0 || mediaKeys(this.old).join() !== mediaKeys(this.next).join());
    this.concernsEntries =
      this.derived.length > 0 ||
      isRetitled ||
      isTranslated ||
      returning.length > 0 ||
      inside.reshaped.length > 0 ||
      this.retargeted.length > 0 ||
      !this.moves.isEmpty ||
      this.changes.some(({ change }) => change !== 'added');
  }

  /** The definitions inside fields that stay: those that are removed now, those that return, and the fields in which values move. */
  private definitionsInside(wasRetired: ReadonlyMap<string, FieldDefinition>) {
    const all = { hidden: [] as FieldDefinition[], returning: [] as FieldDefinition[] };
    const reshaped: { old: CompiledField; next: CompiledField }[] = [];
    const moved = new Set(this.log.filter(({ inside }) => inside).map(({ to }) => to.name));
    for (const next of this.next.fields) {
      const old = this.old.field(nameBefore(next, this.renames)) ?? compiled(wasRetired.get(valueKey(next.definition)));
      if (!old || valueType(old.definition) !== valueType(next.definition)) continue;
      const now = definitionsInside(next);
      const had = definitionsInside(old).map((one) => ({ one, key: keyAfter(one.name, this.next, this.renames) }));
      const [isNow, wasBefore] = [new Set(now.map(({ name }) => name)), new Set(had.map(({ key }) => key))];
      // A removed definition whose name another one takes has the key of that one.
      const isKept = ({ one, key }: (typeof had)[number]) =>
        isNow.has(key) && keyBefore(key, this.next, this.renames) === one.name;
      const hidden = had.filter((one) => !isKept(one)).map(({ one, key }) => ({ ...one, name: key }));
      const back = now.filter((one) => wasRetired.has(valueKey(one)) && !wasBefore.has(one.name));
      if (hidden.length + back.length === 0 && !moved.has(next.name)) continue;
      reshaped.push({ old, next });
      all.hidden.push(...hidden);
      all.returning.push(...back);
    }
    return { ...all, reshaped };
  }

  /**
   * Moves and converts an entry's values and checks them against the tightened definitions. Stops at the first error, which is enough to
   * block the change, unless `isThorough`.
   */
  *check({ id, fields, retired }: StoredRow, isThorough = false): SlicedWork<CheckedEntry> {
    const before = (yield* parseSliced(fields)) as Values;
    const hidden = this.movesEntries && retired !== null ? ((yield* parseSliced(retired)) as Values) : {};
    const entry: CheckedEntry = {
      id,
      before,
      values: before,
      retired: hidden,
      storedRetired: retired,
      isMoved: false,
      concerned: [],
      validation: new Validation(undefined, { missing: false }),
    };
    if (this.movesEntries) yield* this.entryMoves.move(entry);
    if (this.changesMedia) yield* this.nameFiles(entry, fields);
    for (const { before: had, after: has } of isThorough ? this.pairs : this.changes) {
      const field = has ?? had;
      if (field && ((had && Object.hasOwn(before, had.name)) || (has && Object.hasOwn(entry.values, has.name))))
        entry.concerned.push(has ? field.name : removedKey(field.name));
    }
    if (isThorough) entry.concerned.push(...(yield* this.concernedInside(entry)));
    for (const { after } of this.rechecked) {
      if (!after || !Object.hasOwn(entry.values, after.name)) continue;
      const check = new Check(after.definition, `fields.${after.name}`, entry.validation);
      yield* after.inspectSliced(entry.values[after.name], check);
      if (!isThorough && entry.validation.errors.length > 0) break;
      yield;
    }
    return entry;
  }

  /** Makes the values of media fields name files, as writes do. Values that are of media fields no more lose their marks. */
  private *nameFiles(entry: CheckedEntry, stored: string): SlicedWork<void> {
    entry.isMoved ||= isMarked(stored);
    entry.values = (yield* mapLeaves(this.next, 'media', entry.values, (value) => {
      const url = mediaUrlOf(value);
      if (!url || !this.isFileBase(url.base)) return value;
      entry.isMoved = true;
      return { ...(value as object), url: url.path };
    })) as Values;
  }

  /** The keys of the fields inside fields of which the entry has a value, as `concerned` has them. */
  private *concernedInside({ before, values }: CheckedEntry): SlicedWork<Set<string>> {
    const concerned = new Set<string>();
    for (const { before: had, after: has } of this.pairs) {
      const earlier = new Set<string>();
      if (had && has) yield* addKeysInside(earlier, had, before[had.name]);
      for (const key of earlier) {
        const now = keyAfter(key, this.next, this.renames);
        const stays = keyBefore(now, this.next, this.renames) === key && this.keysInside.has(now);
        concerned.add(stays ? now : removedKey(now));
      }
      if (has) yield* addKeysInside(concerned, has, values[has.name]);
    }
    return concerned;
  }

  /** Returns the changes to write for an entry whose values are valid. */
  *change(entry: CheckedEntry): SlicedWork<ChangedEntry> {
    const { id, before, values } = entry;
    const changed: ChangedEntry = { id, removed: [], added: [] };
    if (entry.isMoved) changed.content = yield* this.contentOf(entry);
    const holds = ({ before: had, after: has }: FieldChange) =>
      (had !== undefined && Object.hasOwn(before, had.name)) || (has !== undefined && Object.hasOwn(values, has.name));
    if (this.rewritesAll || this.rewritten.some(holds)) {
      changed.document = yield* this.documentOf(values);
    }
    if (this.rewritesLocales) changed.documents = yield* this.documentsIn(id, values);
    const rows: { had: IndexRow[]; has: IndexRow[] } = { had: [], has: [] };
    for (const change of this.reindexed.filter(holds)) {
      if (change.before) rows.had.push(...(yield* this.old.indexRowsOf(change.before, before)));
      if (change.after) rows.has.push(...(yield* this.next.indexRowsOf(change.after, values)));
      yield;
    }
    for (const { before: had, after: has } of this.derived) {
      if (had) rows.had.push(...(yield* this.old.derivedRows(had, before)));
      if (has) rows.has.push(...(yield* this.next.derivedRows(has, values)));
      yield;
    }
    changed.removed = missingFrom(rows.has, rows.had).map((row) => ({ ...row, id }));
    changed.added = missingFrom(rows.had, rows.has).map((row) => ({ ...row, id }));
    return changed;
  }

  /** The JSON of the values of an entry after the change, and of those of removed fields. */
  *contentOf({ values, retired, storedRetired }: CheckedEntry): SlicedWork<{ fields: string; retired: string | null }> {
    const fields = yield* valuesJson(this.next, values);
    if (!this.movesEntries) return { fields, retired: storedRetired };
    return { fields, retired: Object.keys(retired).length > 0 ? yield* stringifySliced(retired) : null };
  }

  /** Whether something of entries must be written: values, index rows, claims, documents. Otherwise values are only checked. */
  get writes(): boolean {
    return (
      this.movesEntries ||
      this.derived.length > 0 ||
      this.reindexed.length > 0 ||
      this.uniquesToClaim.length > 0 ||
      this.rewritesDocuments
    );
  }

  /** Whether something of this entry must be written. */
  writesOf({ concerned, isMoved }: CheckedEntry): boolean {
    return this.writes && (this.rewritesAll || this.derived.length > 0 || isMoved || concerned.length > 0);
  }

  /** Whether documents of search may change. */
  get rewritesDocuments(): boolean {
    return this.rewritesAll || this.rewritten.length > 0;
  }

  /** The names of the rewritten fields in the index before the change, and after it. */
  get indexFields(): { before: string[]; after: string[] } {
    const namesOf = (fields: (CompiledField | undefined)[]) => [
      ...new Set(
        fields.flatMap((field) => field?.leafFields.flatMap((leaf) => [leaf.sortField, leaf.filterField]) ?? []),
      ),
    ];
    const changed = [...this.reindexed, ...this.derived.map(fieldsOfDerived)];
    return { before: namesOf(changed.map(({ before }) => before)), after: namesOf(changed.map(({ after }) => after)) };
  }

  /** The same for unique values. */
  get uniqueFields(): { before: string[]; after: string[] } {
    const after = this.uniquesToClaim.map(({ indexName }) => indexName);
    return { before: this.uniquesToRemove.filter((name) => !after.includes(name)), after };
  }

  /** The document of search of an entry after the change. */
  *documentOf(values: Values): SlicedWork<SearchDocument> {
    return yield* documentOf({ id: this.typeId, schema: this.next, ...this.searched }, values);
  }

  /** Whether documents in locales may change. */
  get rewritesLocales(): boolean {
    const { old, next, derived } = this;
    return (old.isLocalized || next.isLocalized) && (this.rewritesDocuments || derived.length > 0);
  }

  /** The documents of search of an entry in locales after the change. */
  *documentsIn(id: string, values: Values): SlicedWork<(WrittenDocument & { id: string })[]> {
    const type = { id: this.typeId, schema: this.next, ...this.searched };
    return (yield* documentsIn(type, values)).map((one) => ({ ...one, id }));
  }

  /** The index rows of the changed fields after the change, for values that an entry has then. */
  *indexRowsOf(id: string, values: Values): SlicedWork<RowOfEntry[]> {
    const rows: RowOfEntry[] = [];
    for (const { after } of this.reindexed) {
      if (after) for (const row of yield* this.next.indexRowsOf(after, values)) rows.push({ ...row, id });
      yield;
    }
    for (const { after } of this.derived) {
      if (after) for (const row of yield* this.next.derivedRows(after, values)) rows.push({ ...row, id });
      yield;
    }
    return rows;
  }

  /** Returns the references that must be looked up again, of fields whose values are valid. */
  *references(entry: CheckedEntry): SlicedWork<Reference[]> {
    if (this.retargeted.length === 0) return [];
    const invalid = new Set(entry.validation.errors.map(({ path }) => path.split('.')[1]));
    const valid = Object.entries(entry.values).filter(([name]) => !invalid.has(name));
    const references = yield* this.next.referencesSliced(Object.fromEntries(valid));
    return references.filter(({ field }) => this.retargeted.includes(ownName(field.key)));
  }

  /** Returns the unique values that an entry must claim, of fields whose values are valid. */
  *uniques(entry: CheckedEntry): SlicedWork<UniqueOfEntry[]> {
    const uniques = this.uniquesToClaim.filter(({ name }) => hasValid(name)(entry));
    return yield* this.claimsOf(entry.id, entry.values, uniques);
  }

  /** The claims of these fields for values that an entry has after the change. */
  *claimsOf(
    id: string,
    values: Values,
    fields: readonly CompiledField[] = this.uniquesToClaim,
  ): SlicedWork<UniqueOfEntry[]> {
    const uniques: UniqueOfEntry[] = [];
    for (const field of fields) {
      for (const { key } of yield* this.next.uniquesOf(field, values))
        uniques.push({ field: field.indexName, key, id });
      yield;
    }
    return uniques;
  }

  /** Whether the searchable fields that both schemas have are in another order. */
  private isReordered(): boolean {
    const now = this.next.fields.flatMap((field) => {
      const had = this.old.field(nameBefore(field, this.renames));
      return field.searchable && had?.searchable ? had.name : [];
    });
    const shared = new Set(now);
    return this.old.fields.flatMap(({ name }) => (shared.has(name) ? name : [])).join() !== now.join();
  }
}

function mediaKeys({ leafFields }: Schema): string[] {
  return leafFields.flatMap(({ definition, key }) => (definition.type === 'media' ? key : [])).sort();
}

/** Whether the check found no error of the field. */
function hasValid(field: string): (entry: CheckedEntry) => boolean {
  return ({ validation }) => !validation.errors.some(({ path }) => path.split('.')[1] === field);
}

/** A removed field may have the key of one that takes its name. No key begins like this. */
export function removedKey(key: string): string {
  return `-${key}`;
}

/** Whether an entry that was checked thoroughly has a value of a removed field. */
export function hidesValues({ concerned }: CheckedEntry): boolean {
  return concerned.some((key) => key.startsWith(removedKey('')));
}

/** The names of fields whose rows are rewritten end with `ending`. Others keep the names that their rows have. */
function indexNamesAfter(
  changes: readonly FieldChange[],
  derived: readonly string[],
  before: IndexNames | null,
  next: Schema,
  ending: string,
): IndexNames | null {
  const names: Record<string, string> = { ...before };
  for (const name of derived) delete names[name];
  if (ending !== '') {
    for (const { field } of next.derived)
      if (derived.includes(field.name)) names[field.name] = `${field.name}${ending}`;
  }
  for (const { before: had } of changes.filter(({ reindex }) => reindex)) if (had) delete names[had.name];
  if (ending !== '') {
    for (const { after, reindex } of changes) if (after && reindex) names[after.name] = `${after.name}${ending}`;
  }
  return Object.keys(names).length > 0 ? names : null;
}

/** The definitions of removed fields under the new names. If two have the same name and type then, the moved one stays. */
function renamedDefinitions(retired: readonly FieldDefinition[], next: Schema, renames: Renames): FieldDefinition[] {
  if (renames.size === 0) return [...retired];
  const all = retired.map((field) => ({ field, name: keyAfter(field.name, next, renames) }));
  const moved = all.filter(({ field, name }) => name !== field.name).map(({ field, name }) => ({ ...field, name }));
  const taken = new Set(moved.map(valueKey));
  const others = all.flatMap(({ field, name }) => (name === field.name && !taken.has(valueKey(field)) ? field : []));
  return [...others, ...moved];
}

function compiled(definition: FieldDefinition | undefined): CompiledField | undefined {
  return definition && Schema.compile([definition], 'content').fields[0];
}

function missingFrom(rows: readonly IndexRow[], others: readonly IndexRow[]): IndexRow[] {
  const names = new Set(rows.map(rowKey));
  return others.filter((row) => !names.has(rowKey(row)));
}
