import { runAtOnce, type SlicedWork } from '../admission/sliced-work.js';
import { ValueError } from '../errors/problem.js';
import { isBlank } from '../validation/blank.js';
import { Check, Validation } from './check.js';
import { CompiledField, ELEMENTS, FieldList, type IndexNames, IndexRow, type Leaf } from './compiled-field.js';
import { isGuarded } from './constraints/on-delete.js';
import { reportMissing } from './constraints/required.js';
import { FieldDefinition, FieldKind } from './field-definition.js';
import { keptError, keptSliced } from './kept-values.js';
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

/** The compiled fields of a content type or a form. Immutable, so it can be cached by ID and version. */
export class Schema {
  readonly fields: readonly CompiledField[];
  /** All fields that hold no definitions, at any depth. */
  readonly leafFields: readonly CompiledField[];
  /** The first `text` field, whose value names the record; undefined if there is none. */
  readonly title: CompiledField | undefined;
  /** Whether a reference field has `on_delete`. */
  readonly isGuarding: boolean;
  readonly hasMedia: boolean;
  private readonly list: FieldList;
  /** What a list can be sorted and filtered by, by path. */
  private readonly byPath: ReadonlyMap<string, CompiledField>;

  private constructor(
    readonly definitions: readonly FieldDefinition[],
    kind: FieldKind,
    indexNames: IndexNames | null,
  ) {
    this.list = new FieldList(definitions, kind, { indexNames });
    this.fields = this.list.fields;
    this.leafFields = this.fields.flatMap(({ leafFields }) => leafFields);
    this.isGuarding = this.leafFields.some((field) => isReference(field) && isGuarded(field.definition));
    this.hasMedia = this.leafFields.some(({ definition }) => definition.type === 'media');
    this.title = this.fields.find(({ definition }) => definition.type === 'text');
    const ofGroups = this.leafFields.filter(({ filterable }) => filterable);
    this.byPath = new Map([...this.fields, ...ofGroups].map((field) => [field.path, field]));
  }

  /** Compiles definitions in which `checkDefinitions` found no error. The extension of a type may be turned off since. */
  static compile(
    definitions: readonly FieldDefinition[],
    kind: FieldKind,
    indexNames: IndexNames | null = null,
  ): Schema {
    return new Schema(definitions, kind, indexNames);
  }

  /** Returns a field of the record itself. */
  field(name: string): CompiledField | undefined {
    return this.list.field(name);
  }

  /** Returns the field that a list names to sort or filter by: also one of a single group, as `seo.title`. */
  fieldAt(path: string): CompiledField | undefined {
    return this.byPath.get(path);
  }

  /** The fields that `fieldAt` returns. */
  get fieldsAtPaths(): readonly CompiledField[] {
    return [...this.byPath.values()];
  }

  /** Checks the values of a new entry. Null counts as not supplied. A value that is not supplied becomes its default. */
  checkWhole(values: unknown, path = 'fields'): WholeResult {
    return runAtOnce(this.checkWholeSliced(values, path));
  }

  *checkWholeSliced(values: unknown, path = 'fields'): SlicedWork<WholeResult> {
    const validation = new Validation();
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
    return validation.errors;
  }

  /** Returns the values of a stored entry of an earlier schema as far as the fields have them today (see `CompiledField.keptSliced`). */
  *keptSliced(values: Record<string, unknown>, onlyFitting = false): SlicedWork<Record<string, unknown>> {
    const kept: Record<string, unknown> = {};
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
    return rows;
  }

  /** Same as `indexRowsSliced`, for one field. */
  *indexRowsOf(field: CompiledField, values: Record<string, unknown>): SlicedWork<IndexRow[]> {
    const value = supplied(values, field.name);
    return field.indexed && value !== undefined ? yield* field.indexRows(value) : [];
  }

  /** Returns the text of valid values for full-text search: a line or more for each value, also for each value in a list. */
  *searchLines(values: Record<string, unknown>): SlicedWork<SearchLine[]> {
    const lines: SearchLine[] = [];
    for (const field of this.fields) {
      for (const line of yield* this.searchLinesOf(field, values)) lines.push(line);
    }
    return lines;
  }

  /** Same as `searchLines`, for one field. */
  *searchLinesOf(field: CompiledField, values: Record<string, unknown>): SlicedWork<SearchLine[]> {
    const value = supplied(values, field.name);
    if (!field.searchable || value === undefined) return [];
    const role = field === this.title ? 'title' : 'body';
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
      if (!byKey.has(key)) byKey.set(key, { path: place, name: field.name, field: field.indexName, key });
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
