import { ValueError } from '../errors/problem.js';
import { Findings } from './check.js';
import { CompiledField, IndexRow } from './compiled-field.js';
import { FieldDefinition, FieldKind } from './field-definition.js';
import { typesOf } from './registry.js';
import { fold, shorten } from './text.js';

export interface WholeResult {
  values: Record<string, unknown>;
  errors: ValueError[];
}

export interface PatchResult {
  set: Record<string, unknown>;
  removed: string[];
  errors: ValueError[];
}

export interface SubmissionResult {
  values: Record<string, string>;
  errors: ValueError[];
}

/** A value of a `reference` field, whose existence is for the caller to check. */
export interface Reference {
  path: string;
  name: string;
  contentType: string;
  id: string;
}

/** A value of a `unique` field; `key` is the same for equal values only. */
export interface UniqueValue {
  path: string;
  field: string;
  key: string;
}

/** The compiled fields of a content type or a form. Immutable; keep it by id and version. */
export class Schema {
  readonly fields: readonly CompiledField[];
  private readonly byName: ReadonlyMap<string, CompiledField>;

  private constructor(
    readonly definitions: readonly FieldDefinition[],
    kind: FieldKind,
  ) {
    const types = typesOf(kind);
    this.fields = definitions.map((definition) => {
      const type = types.get(definition.type);
      if (!type) throw new Error(`There is no ${kind} field type ${shorten(definition.type)}.`);
      return new CompiledField(definition, type);
    });
    this.byName = new Map(this.fields.map((field) => [field.name, field]));
  }

  /** Compiles definitions that `checkDefinitions` found faultless; throws on a type that is not known. */
  static compile(definitions: readonly FieldDefinition[], kind: FieldKind): Schema {
    return new Schema(definitions, kind);
  }

  field(name: string): CompiledField | undefined {
    return this.byName.get(name);
  }

  /** Checks the values of a new entry. Null counts as not supplied, and what is not supplied takes its default. */
  checkWhole(values: unknown, path = 'fields'): WholeResult {
    const findings = new Findings();
    const whole: Record<string, unknown> = {};
    if (!this.isRecord(values, path, findings)) return { values: whole, errors: findings.errors };
    for (const field of this.fields) {
      const value = supplied(values, field.name) ?? field.definition.default;
      if (this.inspect(field, value, path, findings)) whole[field.name] = value;
    }
    return { values: whole, errors: findings.errors };
  }

  /** Checks what a patch sends: values to set, and names whose null removes the value. */
  checkPatch(values: unknown, path = 'fields'): PatchResult {
    const findings = new Findings();
    const result: PatchResult = { set: {}, removed: [], errors: findings.errors };
    if (!this.isRecord(values, path, findings)) return result;
    for (const field of this.fields) {
      if (!Object.hasOwn(values, field.name)) continue;
      const value = supplied(values, field.name);
      if (this.inspect(field, value, path, findings)) result.set[field.name] = value;
      else if (value === undefined && !field.required) result.removed.push(field.name);
    }
    return result;
  }

  /** Checks an entry as stored, without defaults. Values of fields that left the type are not looked at. */
  checkStored(values: Record<string, unknown>, path = 'fields'): ValueError[] {
    const findings = new Findings();
    for (const field of this.fields) this.inspect(field, supplied(values, field.name), path, findings);
    return findings.errors;
  }

  /**
   * Checks what a visitor submits: strings, where a required one is not blank, and an empty one in an optional field counts
   * as not supplied. What is not supplied takes its default.
   */
  checkSubmission(values: unknown, path = 'fields'): SubmissionResult {
    const findings = new Findings();
    const result: SubmissionResult = { values: {}, errors: findings.errors };
    if (!this.isRecord(values, path, findings)) return result;
    for (const field of this.fields) {
      const value = filled(field, supplied(values, field.name)) ?? filled(field, field.definition.default);
      if (this.inspect(field, value, path, findings)) result.values[field.name] = value as string;
    }
    return result;
  }

  /** The rows of valid values in the sort and filter index: one a field, and for lists one more for each distinct value. */
  indexRows(values: Record<string, unknown>): IndexRow[] {
    const rows: IndexRow[] = [];
    for (const field of this.fields) {
      const value = supplied(values, field.name);
      if (field.filterable && value !== undefined) rows.push(...field.indexRows(value));
    }
    return rows;
  }

  /** What full-text search sees of valid values: the folded text of every textual field and of each value in a list, a line each. */
  searchText(values: Record<string, unknown>): string {
    const texts: string[] = [];
    for (const field of this.fields) {
      const { searchText } = field.type;
      const value = supplied(values, field.name);
      if (!searchText || value === undefined) continue;
      if (field.multiple) texts.push(...(value as unknown[]).map(searchText));
      else texts.push(searchText(value));
    }
    return texts.map(fold).join('\n');
  }

  /** Every reference in valid values. */
  references(values: Record<string, unknown>, path = 'fields'): Reference[] {
    return this.elements(values, path, (field) => field.definition.content_type !== undefined).map((element) => ({
      path: element.path,
      name: element.field.name,
      contentType: element.field.definition.content_type ?? '',
      id: element.value as string,
    }));
  }

  /** Every value in valid values that no other entry may have; equal ones of one list only once. */
  uniques(values: Record<string, unknown>, path = 'fields'): UniqueValue[] {
    const seen = new Set<string>();
    return this.elements(values, path, (field) => field.definition.unique === true)
      .map(({ field, value, path }) => ({ path, field: field.name, key: field.identity(value) }))
      .filter(({ field, key }) => {
        const both = `${field} ${key}`;
        return !seen.has(both) && seen.add(both);
      });
  }

  private elements(values: Record<string, unknown>, path: string, wanted: (field: CompiledField) => boolean) {
    return this.fields.filter(wanted).flatMap((field) => {
      const value = supplied(values, field.name);
      if (value === undefined) return [];
      return field.elements(value, `${path}.${field.name}`).map((element) => ({ ...element, field }));
    });
  }

  /** Reports a value, or the lack of a required one; true when there is a value and it is valid. */
  private inspect(field: CompiledField, value: unknown, path: string, findings: Findings): boolean {
    const before = findings.errors.length;
    if (value !== undefined) field.inspect(value, `${path}.${field.name}`, findings);
    else if (field.required) findings.add(`${path}.${field.name}`, 'required', `${field.name} is required.`);
    return value !== undefined && findings.errors.length === before;
  }

  /** Whether the values are an object; reports it when not, and every name in it that is no field's. */
  private isRecord(values: unknown, path: string, findings: Findings): values is Record<string, unknown> {
    if (typeof values !== 'object' || values === null || Array.isArray(values)) {
      findings.add(path, 'type', `${path} must be an object.`);
      return false;
    }
    for (const key of Object.keys(values)) {
      if (this.byName.has(key)) continue;
      const name = shorten(key);
      findings.add(`${path}.${name}`, 'unknown_property', `There is no field ${name}.`);
    }
    return true;
  }
}

/** The record's own value under that name; undefined for null, which counts as not supplied. */
function supplied(values: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(values, name) ? (values[name] ?? undefined) : undefined;
}

/** What a visitor filled in; undefined for what counts as nothing. */
function filled(field: CompiledField, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return (field.required ? value.trim() : value) === '' ? undefined : value;
}
