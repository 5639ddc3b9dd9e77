import { runAtOnce, type SlicedWork } from '../admission/sliced-work.js';
import { ValueError } from '../errors/problem.js';
import { isBlank } from '../validation/blank.js';
import { Check, Validation } from './check.js';
import { CompiledField, ELEMENTS, FieldList, type IndexNames, IndexRow, type Leaf } from './compiled-field.js';
import { isGuarded } from './constraints/on-delete.js';
import { reportMissing } from './constraints/required.js';
import { FieldDefinition, FieldKind } from './field-definition.js';
import { keptError, keptSliced } from './kept-values.js';
import { type Derived, derivedFields, type DerivedField, type LocaleStatus } from './localized/derived-fields.js';
import { type LocaleSettings, otherCodes } from './localized/locale-settings.js';
import { nameIn, ownName, LOCALE_STATE, storedDefinitions } from './localized/localized-names.js';
import { localeStateOf } from './localized/locale-state.js';
import { isRecord, supplied } from './record.js';
import type { SearchLine } from './search-text.js';
import { soundReferences } from './sound-references.js';

interface WholeResult {
  values: Record<string, unknown>;
  errors: ValueError[];
  /** Copies of invalid values of groups and blocks with only their references, so that these can be looked up, too. */
  invalidReferences?: Record<string, unknown>;
  /** The validation whose patterns must be matched (`matchDeferredPatterns`) before the result is valid. */
  deferred?: Validation;
}

export interface PatchResult extends Omit<WholeResult, 'values'> {
  set: Record<string, unknown>;
  removed: string[];
}

interface SubmissionResult extends WholeResult {
  values: Record<string, string>;
}

/** A value of a `reference` field. The caller must check that the entry exists. */
export interface Reference {
  path: string;
  field: CompiledField;
  id: string;
  /** Whether the entry that it leads to must be held, because a deletion of the entry would refuse or clear it. */
  isGuarded: boolean;
}

/** A value of a `unique` field. `key` is the same for equal values only. */
export interface UniqueValue {
  path: string;
  name: string;
  /** The name of the field in the index. */
  field: string;
  key: string;
}

/** What a schema without localized fields has of them. Shared, because a cache holds many schemas. */
const NONE_LOCALIZED: ReadonlySet<string> = new Set();
const NONE_DERIVED: Derived = { shown: new Map(), hidden: [], statuses: new Map() };
const NO_FIELDS: readonly DerivedField[] = [];

/** The compiled fields of a content type or a form. Immutable, so it can be cached by ID and version. */
export class Schema {
  /** The fields whose values are stored. Of a localized field, there is one for each locale. */
  readonly fields: readonly CompiledField[];
  /** The fields as they were defined. */
  readonly ownFields: readonly CompiledField[];
  /** All fields that hold no definitions, at any depth. */
  readonly leafFields: readonly CompiledField[];
  /** The names of the localized fields. Empty for most types. */
  readonly localized: ReadonlySet<string>;
  /** The first `text` field, whose value names the record; undefined if there is none. */
  readonly title: CompiledField | undefined;
  /** Whether a reference field has `on_delete`. */
  readonly isGuarding: boolean;
  readonly hasMedia: boolean;
  /** What the index has besides the fields. Empty for types without localized fields. */
  readonly derived: readonly DerivedField[];
  private readonly shown: ReadonlyMap<string, DerivedField>;
  private readonly statuses: ReadonlyMap<LocaleStatus, DerivedField>;
  private readonly list: FieldList;
  /** What a list can be sorted and filtered by, by path. */
  private readonly byPath: ReadonlyMap<string, CompiledField>;

  private constructor(
    readonly definitions: readonly FieldDefinition[],
    kind: FieldKind,
    indexNames: IndexNames | null,
    private readonly locales: LocaleSettings | null,
  ) {
    this.list = new FieldList(storedDefinitions(definitions, locales), kind, { indexNames });
    this.fields = this.list.fields;
    const localized = definitions.flatMap(({ name, localized }) => (localized ? name : []));
    this.localized = localized.length > 0 ? new Set(localized) : NONE_LOCALIZED;
    this.ownFields = this.isLocalized ? this.fields.filter(({ locale }) => locale === undefined) : this.fields;
    const derived = locales && this.isLocalized ? derivedFields(definitions, locales, indexNames) : NONE_DERIVED;
    this.shown = derived.shown;
    this.statuses = derived.statuses;
    const all = [...derived.shown.values(), ...derived.hidden, ...derived.statuses.values()];
    this.derived = all.length > 0 ? all : NO_FIELDS;
    this.leafFields = this.fields.flatMap(({ leafFields }) => leafFields);
    this.isGuarding = this.leafFields.some((field) => isReference(field) && isGuarded(field.definition));
    this.hasMedia = this.leafFields.some(({ definition }) => definition.type === 'media');
    this.title = this.ownFields.find(({ definition }) => definition.type === 'text');
    const ofGroups = this.leafFields.filter(({ filterable }) => filterable);
    const atPaths = [...this.fields, ...ofGroups].filter(({ locale }) => locale === undefined);
    this.byPath = new Map(atPaths.map((field) => [field.path, field]));
  }

  /** Compiles definitions in which `checkDefinitions` found no error. The extension of a type may be turned off since. */
  static compile(
    definitions: readonly FieldDefinition[],
    kind: FieldKind,
    indexNames: IndexNames | null = null,
    locales: LocaleSettings | null = null,
  ): Schema {
    return new Schema(definitions, kind, indexNames, locales);
  }

  /** Whether entries may have values in several locales. */
  get isLocalized(): boolean {
    return this.localized.size > 0;
  }

  /** Returns a field of the record itself. */
  field(name: string): CompiledField | undefined {
    return this.list.field(name);
  }

  /** The same for the name of a field as it was defined, not for that of its values in a locale. */
  ownField(name: string): CompiledField | undefined {
    const field = this.field(name);
    return field?.locale === undefined ? field : undefined;
  }

  /** Returns the field that a list names to sort or filter by: also one of a single group, as `seo.title`. */
  fieldAt(path: string): CompiledField | undefined {
    return this.byPath.get(path);
  }

  /**
   * The field that a list in a locale names to sort or filter by: what is shown in it, or with `isOwn` only its own values. Undefined if there is
   * no such field. `code` is not the default locale.
   */
  fieldIn(path: string, code: string, isOwn: boolean): CompiledField | undefined {
    const [name = '', ...inside] = path.split('.');
    if (!this.localized.has(name)) return this.fieldAt(path);
    const stored = nameIn(name, code);
    const top = (isOwn ? undefined : this.shown.get(stored)?.field) ?? this.field(stored);
    if (inside.length === 0 || !top) return top;
    return top.leafFields.find(({ ownPath, filterable }) => filterable && ownPath === path);
  }

  /** The field whose values are the locales of which this is true. Undefined if no field is localized. */
  statusField(status: LocaleStatus): CompiledField | undefined {
    return this.statuses.get(status)?.field;
  }

  /** Whether a stored name is that of values in a locale, the default one included. */
  isOfLocale(name: string): boolean {
    return this.localized.has(ownName(name));
  }

  /** The fields that `fieldAt` returns. */
  get fieldsAtPaths(): readonly CompiledField[] {
    return [...this.byPath.values()];
  }

  /**
   * Checks the values of a new entry. Null counts as not supplied. A value that is not supplied becomes its default. With `missing: false`, a
   * missing required value is no error.
   */
  checkWhole(values: unknown, scope?: { missing: boolean }): WholeResult {
    return runAtOnce(this.checkWholeSliced(values, scope));
  }

  *checkWholeSliced(values: unknown, scope?: { missing: boolean }): SlicedWork<WholeResult> {
    const path = 'fields';
    const validation = new Validation(undefined, scope);
    const result: WholeResult = { values: {}, errors: validation.errors };
    if (!this.isRecord(values, path, validation)) return result;
    for (const field of this.fields) {
      const sent = supplied(values, field.name);
      if (field.isKept) {
        if (sent !== undefined) validation.addError(keptError(field, path));
        continue;
      }
      const value = sent ?? field.definition.default;
      if (yield* this.inspect(field, value, path, validation))
        result.values[field.name] = yield* keptSliced(field, value);
      else yield* addInvalidReferences(result, field, value);
      yield;
    }
    return withDeferred(result, validation);
  }

  /** Checks the values of a patch: values to set, and nulls, which remove values. */
  checkPatch(values: unknown, path = 'fields'): PatchResult {
    return runAtOnce(this.checkPatchSliced(values, path));
  }

  *checkPatchSliced(values: unknown, path = 'fields'): SlicedWork<PatchResult> {
    const validation = new Validation();
    const result: PatchResult = { set: {}, removed: [], errors: validation.errors };
    if (!this.isRecord(values, path, validation)) return result;
    for (const field of this.fields) {
      if (!Object.hasOwn(values, field.name)) continue;
      const value = supplied(values, field.name);
      if (yield* this.inspect(field, value, path, validation)) result.set[field.name] = yield* keptSliced(field, value);
      else if (value === undefined && !field.required) result.removed.push(field.name);
      else yield* addInvalidReferences(result, field, value);
      yield;
    }
    return withDeferred(result, validation);
  }

  /**
   * Checks a stored entry, without defaults. Ignores values of fields that were removed from the type. Does not match patterns, because a
   * stored value matched its pattern when it was written and at every change of the type since.
   */
  checkStored(values: Record<string, unknown>, path = 'fields'): ValueError[] {
    return runAtOnce(this.checkStoredSliced(values, path));
  }

  *checkStoredSliced(values: Record<string, unknown>, path = 'fields'): SlicedWork<ValueError[]> {
    const validation = new Validation(undefined, { patterns: false });
    for (const field of this.fields) {
      yield* this.inspect(field, supplied(values, field.name), path, validation);
      yield;
    }
    this.reportMissingIn(values, path, validation);
    return validation.errors;
  }

  /** The errors of values that `required_in` asks for in the locales that have values and are not taken off. */
  missingIn(values: Record<string, unknown>, path = 'fields'): ValueError[] {
    const validation = new Validation();
    this.reportMissingIn(values, path, validation);
    return validation.errors;
  }

  private reportMissingIn(values: Record<string, unknown>, path: string, validation: Validation): void {
    if (!this.isLocalized || !validation.looksForMissing) return;
    const { off = [] } = localeStateOf(values);
    for (const code of this.localesIn(values)) {
      if (off.includes(code)) continue;
      for (const { name, required_in: codes } of this.definitions) {
        const field = this.localized.has(name) && codes?.includes(code) ? this.field(nameIn(name, code)) : undefined;
        if (field && supplied(values, field.name) === undefined)
          reportMissing(new Check(field.definition, `${path}.${field.name}`, validation));
      }
    }
  }

  /** The locales other than the default in which there are values. */
  localesIn(values: Record<string, unknown>): string[] {
    const codes = this.locales && this.isLocalized ? otherCodes(this.locales) : [];
    return codes.filter((code) =>
      [...this.localized].some((name) => supplied(values, nameIn(name, code)) !== undefined),
    );
  }

  /** Returns the values of a stored entry of an earlier schema as far as the fields have them today (see `CompiledField.keptSliced`). */
  *keptSliced(values: Record<string, unknown>, onlyFitting = false): SlicedWork<Record<string, unknown>> {
    const kept: Record<string, unknown> = {};
    if (this.isLocalized && Object.hasOwn(values, LOCALE_STATE)) kept[LOCALE_STATE] = values[LOCALE_STATE];
    for (const field of this.fields) {
      const value = supplied(values, field.name);
      if (value === undefined) continue;
      const own = yield* keptSliced(field, value, onlyFitting);
      if (!onlyFitting || !(yield* field.isMisfitSliced(own))) kept[field.name] = own;
      yield;
    }
    return kept;
  }

  /**
   * Checks the values of a submission. They are strings, or lists of strings for fields with `multiple`, which become text. A required value must not be blank, and an empty optional value counts as not
   * supplied. A value that is not supplied becomes its default.
   */
  checkSubmission(values: unknown, path = 'fields'): SubmissionResult {
    return runAtOnce(this.checkSubmissionSliced(values, path));
  }

  *checkSubmissionSliced(values: unknown, path = 'fields'): SlicedWork<SubmissionResult> {
    const validation = new Validation();
    const result: SubmissionResult = { values: {}, errors: validation.errors };
    if (!this.isRecord(values, path, validation)) return result;
    for (const field of this.fields) {
      const sent = nonEmpty(field, supplied(values, field.name));
      if (field.isKept) {
        if (sent !== undefined) validation.addError(keptError(field, path));
        continue;
      }
      const value = sent ?? nonEmpty(field, field.definition.default);
      if (yield* this.inspect(field, value, path, validation)) result.values[field.name] = field.textOf(value);
      yield;
    }
    return withDeferred(result, validation);
  }

  /** Returns the rows of valid values in the sort and filter index: one for each field, and for lists one more for each distinct value. */
  indexRows(values: Record<string, unknown>): IndexRow[] {
    return runAtOnce(this.indexRowsSliced(values));
  }

  *indexRowsSliced(values: Record<string, unknown>): SlicedWork<IndexRow[]> {
    const rows: IndexRow[] = [];
    for (const field of this.fields) {
      for (const row of yield* this.indexRowsOf(field, values)) rows.push(row);
    }
    for (const field of this.derived) rows.push(...(yield* this.derivedRows(field, values)));
    return rows;
  }

  /** The rows of a derived field. */
  *derivedRows({ field, value: valueIn }: DerivedField, values: Record<string, unknown>): SlicedWork<IndexRow[]> {
    const value = field.indexed ? valueIn(values) : undefined;
    return value === undefined ? [] : yield* field.indexRows(value);
  }

  /** Same as `indexRowsSliced`, for one field. */
  *indexRowsOf(field: CompiledField, values: Record<string, unknown>): SlicedWork<IndexRow[]> {
    const value = supplied(values, field.name);
    if (!field.indexed || value === undefined) return [];
    // A locale that is taken off has no values for readers.
    if (field.locale !== undefined && localeStateOf(values).off?.includes(field.locale)) return [];
    return yield* field.indexRows(value);
  }

  /** Returns the text of valid values of the default locale for full-text search: a line or more for each value, also for each value in a list. */
  *searchLines(values: Record<string, unknown>): SlicedWork<SearchLine[]> {
    const lines: SearchLine[] = [];
    for (const field of this.ownFields) {
      for (const line of yield* this.searchLinesOf(field, values)) lines.push(line);
    }
    return lines;
  }

  /** Same as `searchLines`, for one field. */
  *searchLinesOf(field: CompiledField, values: Record<string, unknown>): SlicedWork<SearchLine[]> {
    const value = supplied(values, field.name);
    if (!field.searchable || value === undefined) return [];
    const role = ownName(field.name) === this.title?.name ? 'title' : 'body';
    if (field.parts.length === 0) return yield* field.searchLines(value, role);
    const lines: SearchLine[] = [];
    let count = 0;
    for (const leaf of field.leaves(value, '')) {
      if (++count % ELEMENTS === 0) yield;
      if (!leaf) continue;
      for (const line of yield* leaf.field.searchLines(leaf.value, role)) lines.push(line);
    }
    return lines;
  }

  /** Returns every reference in valid values. */
  references(values: Record<string, unknown>, path = 'fields'): Reference[] {
    return runAtOnce(this.referencesSliced(values, path));
  }

  *referencesSliced(values: Record<string, unknown>, path = 'fields'): SlicedWork<Reference[]> {
    const references: Reference[] = [];
    for (const field of this.fields) {
      if (!field.leafFields.some(isReference)) continue;
      let count = 0;
      for (const leaf of leavesOf(field, values, path)) {
        if (++count % ELEMENTS === 0) yield;
        if (!leaf || !isReference(leaf.field)) continue;
        for (const { value, path: place } of leaf.field.elements(leaf.value, leaf.path)) {
          references.push({
            path: place,
            field: leaf.field,
            id: value as string,
            isGuarded: isGuarded(leaf.field.definition),
          });
        }
      }
      yield;
    }
    return references;
  }

  /** Returns every value of a unique field in valid values, without duplicates within a list. */
  uniques(values: Record<string, unknown>, path = 'fields'): UniqueValue[] {
    return runAtOnce(this.uniquesSliced(values, path));
  }

  *uniquesSliced(values: Record<string, unknown>, path = 'fields'): SlicedWork<UniqueValue[]> {
    const uniques: UniqueValue[] = [];
    for (const field of this.fields) {
      if (!field.unique) continue;
      for (const unique of yield* this.uniquesOf(field, values, path)) uniques.push(unique);
    }
    return uniques;
  }

  /** Same as `uniquesSliced`, for one field. */
  *uniquesOf(field: CompiledField, values: Record<string, unknown>, path = 'fields'): SlicedWork<UniqueValue[]> {
    if (!field.unique) return [];
    const byKey = new Map<string, UniqueValue>();
    for (const [index, { value, path: place }] of elementsOf(field, values, path).entries()) {
      const key = field.identity(value);
      if (!byKey.has(key)) byKey.set(key, { path: place, name: ownName(field.name), field: field.indexName, key });
      if (index % ELEMENTS === ELEMENTS - 1) yield;
    }
    return [...byKey.values()];
  }

  /** Reports the errors of a value, or a missing required value. Returns true if there is a value and it is valid. */
  private *inspect(field: CompiledField, value: unknown, path: string, validation: Validation): SlicedWork<boolean> {
    const before = validation.errorCount;
    const check = new Check(field.definition, `${path}.${field.name}`, validation);
    if (value !== undefined) yield* field.inspectSliced(value, check);
    else if (field.required) reportMissing(check);
    return value !== undefined && validation.errorCount === before;
  }

  /** Whether the values are an object. Reports an error if not, and one for each name that is not a field. */
  private isRecord(values: unknown, path: string, validation: Validation): values is Record<string, unknown> {
    if (!isRecord(values)) {
      validation.add(path, 'type', `${path} must be an object.`);
      return false;
    }
    this.list.reportUnknown(values, path, validation);
    return true;
  }
}

/** Whether its values are IDs of entries. */
export function isReference({ contentTypes }: CompiledField): boolean {
  return contentTypes.length > 0;
}

function leavesOf(field: CompiledField, values: Record<string, unknown>, path: string): Iterable<Leaf | undefined> {
  const value = supplied(values, field.name);
  return value === undefined ? [] : field.leaves(value, `${path}.${field.name}`);
}

/** Adds the references of a value that is not valid. */
function* addInvalidReferences(
  result: Pick<WholeResult, 'invalidReferences'>,
  field: CompiledField,
  value: unknown,
): SlicedWork<void> {
  if (value === undefined || field.parts.length === 0) return;
  const references = yield* soundReferences(field, value);
  if (references !== undefined) result.invalidReferences = { ...result.invalidReferences, [field.name]: references };
}

function withDeferred<Result extends { deferred?: Validation }>(result: Result, validation: Validation): Result {
  if (validation.deferred.length > 0) result.deferred = validation;
  return result;
}

function elementsOf(field: CompiledField, values: Record<string, unknown>, path: string) {
  const value = supplied(values, field.name);
  return value === undefined ? [] : field.elements(value, `${path}.${field.name}`);
}

/** Returns the submitted value, or undefined if it counts as not supplied. */
function nonEmpty(field: CompiledField, value: unknown): unknown {
  if (Array.isArray(value)) return field.definition.multiple && value.length === 0 ? undefined : value;
  if (typeof value !== 'string') return value;
  return (field.required ? isBlank(value) : value === '') ? undefined : value;
}
