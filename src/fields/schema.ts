import { runNow, type Steps } from '../admission/steps.js';
import { Problem, ValueError } from '../errors/problem.js';
import { listed, suggestion } from '../errors/suggestion.js';
import { Findings } from './check.js';
import { CompiledField, ELEMENTS, IndexRow } from './compiled-field.js';
import { FieldDefinition, FieldKind, namedTypes } from './field-definition.js';
import { typesOf } from './registry.js';
import type { SearchLine } from './search-text.js';
import { shorten } from './text.js';

export interface WholeResult {
  values: Record<string, unknown>;
  errors: ValueError[];
  /** The findings whose patterns must be matched (`matchDeferredPatterns`) before the result is valid. */
  deferred?: Findings;
}

export interface PatchResult extends Omit<WholeResult, 'values'> {
  set: Record<string, unknown>;
  removed: string[];
}

export interface SubmissionResult extends WholeResult {
  values: Record<string, string>;
}

/** A value of a `reference` field. The caller must check that the entry exists. */
export interface Reference {
  path: string;
  name: string;
  /** The content types that the field names. */
  contentTypes: readonly string[];
  id: string;
}

/** A value of a `unique` field. `key` is the same for equal values only. */
export interface UniqueValue {
  path: string;
  field: string;
  key: string;
}

/** The codes of errors that tell that a value is not of the field's type. */
const MISFIT: ReadonlySet<string> = new Set(['type', 'format']);

/** Unknown names whose error names the known fields. Comparing many names would take long. */
const MAX_HINTS = 10;

/** The compiled fields of a content type or a form. Immutable, so it can be cached by ID and version. */
export class Schema {
  readonly fields: readonly CompiledField[];
  /** The first `text` field, whose value names the record; undefined if there is none. */
  readonly title: CompiledField | undefined;
  private readonly byName: ReadonlyMap<string, CompiledField>;

  private constructor(
    readonly definitions: readonly FieldDefinition[],
    kind: FieldKind,
  ) {
    const types = typesOf(kind);
    this.fields = definitions.map((definition) => {
      const type = types.get(definition.type);
      if (!type) throw unknownType(definition);
      return new CompiledField(definition, type);
    });
    this.title = this.fields.find(({ definition }) => definition.type === 'text');
    this.byName = new Map(this.fields.map((field) => [field.name, field]));
  }

  /** Compiles definitions in which `checkDefinitions` found no error. Throws a 503 while the extension of a type is off. */
  static compile(definitions: readonly FieldDefinition[], kind: FieldKind): Schema {
    return new Schema(definitions, kind);
  }

  field(name: string): CompiledField | undefined {
    return this.byName.get(name);
  }

  /** Checks the values of a new entry. Null counts as not supplied. A value that is not supplied becomes its default. */
  checkWhole(values: unknown, path = 'fields'): WholeResult {
    return runNow(this.checkWholeSteps(values, path));
  }

  *checkWholeSteps(values: unknown, path = 'fields'): Steps<WholeResult> {
    const findings = new Findings();
    const result: WholeResult = { values: {}, errors: findings.errors };
    if (!this.isRecord(values, path, findings)) return result;
    for (const field of this.fields) {
      const value = supplied(values, field.name) ?? field.definition.default;
      if (this.inspect(field, value, path, findings)) result.values[field.name] = value;
      yield;
    }
    return withUnsettled(result, findings);
  }

  /** Checks the values of a patch: values to set, and nulls, which remove values. */
  checkPatch(values: unknown, path = 'fields'): PatchResult {
    return runNow(this.checkPatchSteps(values, path));
  }

  *checkPatchSteps(values: unknown, path = 'fields'): Steps<PatchResult> {
    const findings = new Findings();
    const result: PatchResult = { set: {}, removed: [], errors: findings.errors };
    if (!this.isRecord(values, path, findings)) return result;
    for (const field of this.fields) {
      if (!Object.hasOwn(values, field.name)) continue;
      const value = supplied(values, field.name);
      if (this.inspect(field, value, path, findings)) result.set[field.name] = value;
      else if (value === undefined && !field.required) result.removed.push(field.name);
      yield;
    }
    return withUnsettled(result, findings);
  }

  /**
   * Checks a stored entry, without defaults. Ignores values of fields that were removed from the type. Does not match patterns, because a
   * stored value matched its pattern when it was written and at every change of the type since.
   */
  checkStored(values: Record<string, unknown>, path = 'fields'): ValueError[] {
    return runNow(this.checkStoredSteps(values, path));
  }

  *checkStoredSteps(values: Record<string, unknown>, path = 'fields'): Steps<ValueError[]> {
    const findings = new Findings(undefined, false);
    for (const field of this.fields) {
      this.inspect(field, supplied(values, field.name), path, findings);
      yield;
    }
    return findings.errors;
  }

  /** Returns the names of the fields whose values are not of their type at all, as those of a field that had another type once may be. */
  *misfitsSteps(values: Record<string, unknown>): Steps<Set<string>> {
    const misfits = new Set<string>();
    for (const field of this.fields) {
      const findings = new Findings(undefined, false);
      this.inspect(field, supplied(values, field.name), 'fields', findings);
      if (findings.errors.some(({ code }) => MISFIT.has(code))) misfits.add(field.name);
      yield;
    }
    return misfits;
  }

  /**
   * Checks the values of a submission. They are strings. A required value must not be blank, and an empty optional value counts as not
   * supplied. A value that is not supplied becomes its default.
   */
  checkSubmission(values: unknown, path = 'fields'): SubmissionResult {
    return runNow(this.checkSubmissionSteps(values, path));
  }

  *checkSubmissionSteps(values: unknown, path = 'fields'): Steps<SubmissionResult> {
    const findings = new Findings();
    const result: SubmissionResult = { values: {}, errors: findings.errors };
    if (!this.isRecord(values, path, findings)) return result;
    for (const field of this.fields) {
      const value = filled(field, supplied(values, field.name)) ?? filled(field, field.definition.default);
      if (this.inspect(field, value, path, findings)) result.values[field.name] = value as string;
      yield;
    }
    return withUnsettled(result, findings);
  }

  /** Returns the rows of valid values in the sort and filter index: one for each field, and for lists one more for each distinct value. */
  indexRows(values: Record<string, unknown>): IndexRow[] {
    return runNow(this.indexRowsSteps(values));
  }

  *indexRowsSteps(values: Record<string, unknown>): Steps<IndexRow[]> {
    const rows: IndexRow[] = [];
    for (const field of this.fields) {
      for (const row of yield* this.indexRowsOf(field, values)) rows.push(row);
    }
    return rows;
  }

  /** Same as `indexRowsSteps`, for one field. */
  *indexRowsOf(field: CompiledField, values: Record<string, unknown>): Steps<IndexRow[]> {
    const value = supplied(values, field.name);
    return field.filterable && value !== undefined ? yield* field.indexRows(value) : [];
  }

  /** Returns the text of valid values for full-text search: a line or more for each value, also for each value in a list. */
  *searchLines(values: Record<string, unknown>): Steps<SearchLine[]> {
    const lines: SearchLine[] = [];
    for (const field of this.fields) {
      for (const line of yield* this.searchLinesOf(field, values)) lines.push(line);
    }
    return lines;
  }

  /** Same as `searchLines`, for one field. */
  *searchLinesOf(field: CompiledField, values: Record<string, unknown>): Steps<SearchLine[]> {
    const lines: SearchLine[] = [];
    const value = supplied(values, field.name);
    const { searchText, searchLines } = field.type;
    if (!field.searchable || value === undefined) return lines;
    const role = field === this.title ? 'title' : 'body';
    let count = 0;
    for (const element of field.multiple ? (value as unknown[]) : [value]) {
      if (searchLines) for (const line of yield* searchLines(element)) lines.push(line);
      else if (searchText) lines.push([{ text: searchText(element), role }]);
      if (++count % ELEMENTS === 0) yield;
    }
    return lines;
  }

  /** Returns every reference in valid values. */
  references(values: Record<string, unknown>, path = 'fields'): Reference[] {
    return runNow(this.referencesSteps(values, path));
  }

  *referencesSteps(values: Record<string, unknown>, path = 'fields'): Steps<Reference[]> {
    const references: Reference[] = [];
    for (const field of this.fields) {
      const { name, definition } = field;
      const contentTypes = namedTypes(definition);
      if (contentTypes.length === 0) continue;
      for (const { value, path: place } of elementsOf(field, values, path)) {
        references.push({ path: place, name, contentTypes, id: value as string });
      }
      yield;
    }
    return references;
  }

  /** Returns every value of a unique field in valid values, without duplicates within a list. */
  uniques(values: Record<string, unknown>, path = 'fields'): UniqueValue[] {
    return runNow(this.uniquesSteps(values, path));
  }

  *uniquesSteps(values: Record<string, unknown>, path = 'fields'): Steps<UniqueValue[]> {
    const uniques: UniqueValue[] = [];
    for (const field of this.fields) {
      if (!field.definition.unique) continue;
      for (const unique of yield* this.uniquesOf(field, values, path)) uniques.push(unique);
    }
    return uniques;
  }

  /** Same as `uniquesSteps`, for one field. */
  *uniquesOf(field: CompiledField, values: Record<string, unknown>, path = 'fields'): Steps<UniqueValue[]> {
    if (!field.definition.unique) return [];
    const byKey = new Map<string, UniqueValue>();
    for (const [index, { value, path: place }] of elementsOf(field, values, path).entries()) {
      const key = field.identity(value);
      if (!byKey.has(key)) byKey.set(key, { path: place, field: field.name, key });
      if (index % ELEMENTS === ELEMENTS - 1) yield;
    }
    return [...byKey.values()];
  }

  /** Reports the errors of a value, or a missing required value. Returns true if there is a value and it is valid. */
  private inspect(field: CompiledField, value: unknown, path: string, findings: Findings): boolean {
    const before = findings.errors.length;
    if (value !== undefined) field.inspect(value, findings, `${path}.${field.name}`);
    else if (field.required) findings.add(`${path}.${field.name}`, 'required', `${field.name} is required.`);
    return value !== undefined && findings.errors.length === before;
  }

  /** Whether the values are an object. Reports an error if not, and one for each name that is not a field. */
  private isRecord(values: unknown, path: string, findings: Findings): values is Record<string, unknown> {
    if (typeof values !== 'object' || values === null || Array.isArray(values)) {
      findings.add(path, 'type', `${path} must be an object.`);
      return false;
    }
    let unknown = 0;
    for (const key of Object.keys(values)) {
      if (this.byName.has(key)) continue;
      const name = shorten(key);
      const hint = unknown++ < MAX_HINTS ? this.hint(key) : '';
      findings.add(`${path}.${name}`, 'unknown_property', `There is no field ${name}.${hint}`);
    }
    return true;
  }

  private hint(name: string): string {
    const names = this.fields.map((field) => field.name);
    return suggestion(name, names) || ` The fields are ${listed(names)}.`;
  }
}

function withUnsettled<Result extends { deferred?: Findings }>(result: Result, findings: Findings): Result {
  if (findings.later.length > 0) result.deferred = findings;
  return result;
}

function elementsOf(field: CompiledField, values: Record<string, unknown>, path: string) {
  const value = supplied(values, field.name);
  return value === undefined ? [] : field.elements(value, `${path}.${field.name}`);
}

/** Returns the record's own value of that name. Returns undefined for null, which counts as not supplied. */
function supplied(values: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(values, name) ? (values[name] ?? undefined) : undefined;
}

/** Returns the submitted value, or undefined if it counts as not supplied. */
function filled(field: CompiledField, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return (field.required ? value.trim() : value) === '' ? undefined : value;
}

/** The type was known when the definition was stored. */
function unknownType({ name, type }: FieldDefinition): Problem {
  return Problem.unavailable(
    `The field ${name} has the type ${type}, which belongs to an extension that is turned off.`,
    60,
  );
}
