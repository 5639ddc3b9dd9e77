import { runAtOnce, type SlicedWork } from '../admission/sliced-work.js';
import { listed, suggestion } from '../validation/suggestion.js';
import { ABSENT } from './types/absent-type.js';
import { Check, Validation } from './check.js';
import { isList } from './constraints/multiple.js';
import { checksOf, type ValueChecks } from './constraints/registry.js';
import { reportMissing } from './constraints/required.js';
import { namedTypes } from './constraints/targets.js';
import { ownName, readName } from './localized/localized-names.js';
import { FieldDefinition, FieldKind } from './field-definition.js';
import { FieldType, SEPARATOR } from './field-type.js';
import { typesOf } from './registry.js';
import { isRecord, supplied } from './record.js';
import type { SearchLine } from './search-text.js';
import { compareKeys, FilterKey, ValueKey } from './sort-key.js';
import { shorten } from './formats/text.js';

/** Number of list elements that one step processes. */
export const ELEMENTS = 50;

/** The codes of errors that tell that a value is not of the field's type. */
const MISFIT: ReadonlySet<string> = new Set(['type', 'format']);

/** Errors after which an unknown name is listed without a hint. Comparing many names would take long. */
const MAX_HINTS = 10;

/**
 * Maps names of fields of an entry to the names that they have in the indexes, where these are others. Fields inside a group follow it:
 * `seo.title` may be `seo~7.title` there.
 */
export type IndexNames = Readonly<Record<string, string>>;

/** A row of the sort and filter index. */
export interface IndexRow extends ValueKey {
  field: string;
}

/** Returns a text that is the same for equal rows only. */
export function rowKey({
  field,
  key,
  discriminator = '',
}: Omit<IndexRow, 'discriminator'> & { discriminator?: string }): string {
  return `${field} ${discriminator} ${key}`;
}

/** A value of a field that holds no definitions, and where it is. Of a list field, the whole list. */
export interface Leaf {
  field: CompiledField;
  value: unknown;
  path: string;
}

/** The fields and blocks around a field. */
interface FieldContext {
  /** The names of the fields around it, each with a dot. */
  path: string;
  /** The same with the names of blocks. */
  key: string;
  /** The name in the indexes of the field around it, with a dot. */
  index: string;
  /** Whether there may be several values, because a list is around it. */
  isInList: boolean;
  /** The `jsonPath` of the field around it. */
  jsonPath: string;
}

/** Shared by the fields without parts, of which there are many. */
const NO_BLOCKS: ReadonlyMap<unknown, FieldList> = new Map();

const TOP_LEVEL: FieldContext = { path: '', key: '', index: '', isInList: false, jsonPath: '' };

/**
 * A field definition together with its type. If the type holds definitions, these are compiled too, as `parts`. What is done with the
 * values of a record is done with its leaves, at any depth.
 */
export class CompiledField {
  readonly name: string;
  /** The name with those of the fields around it, as clients write it: `seo.title`. */
  readonly path: string;
  /** The locale whose values these are; undefined for the default locale, and for fields that are not localized. */
  readonly locale: string | undefined;
  /** Same as `path`, with the names of the blocks around it. It identifies the definition within its type: `sections.hero.title`. */
  readonly key: string;
  /** Same as `path`, as the indexes have it: a field that was renamed or restated may have another name there. */
  readonly indexName: string;
  /** The PostgreSQL JSON path (lax) of its values in the value of the field of the record that it is in. */
  readonly jsonPath: string;
  readonly required: boolean;
  /** Whether its type belongs to an extension that is turned off. */
  readonly isAbsent: boolean;
  /** Whether it, or a field inside it, `isAbsent`: its values are kept as they are. */
  readonly isKept: boolean;
  readonly unique: boolean;
  readonly multiple: boolean;
  readonly sortable: boolean;
  readonly filterable: boolean;
  /** Whether its values have rows in the index. */
  readonly indexed: boolean;
  /** Whether full-text search includes the field. */
  readonly searchable: boolean;
  /** Whether `contains` and `starts_with` apply. */
  readonly textual: boolean;
  /** The `field` of the index rows that filters read, and by which referrers are found. A list has one row for each distinct value. */
  readonly filterField: string;
  /** The definitions that it holds: one list for a group, one for each kind of block. Empty if its type holds none. */
  readonly parts: readonly FieldList[];
  /** All fields without parts in it; a field without parts is its own only leaf. */
  readonly leafFields: readonly CompiledField[];
  private readonly byBlock: ReadonlyMap<unknown, FieldList>;
  private readonly checks: ValueChecks;

  constructor(
    readonly definition: FieldDefinition,
    readonly type: FieldType,
    kind: FieldKind,
    context: FieldContext = TOP_LEVEL,
    indexName?: string,
    /** The stored members of an entry in which its values are, the one that is preferred first; undefined: the one of its name. */
    readonly sources?: readonly string[],
  ) {
    this.name = definition.name;
    this.path = context.path + this.name;
    this.key = context.key + this.name;
    this.locale = readName(this.path).locale;
    const own = context.jsonPath === '' ? '$' : `${context.jsonPath}."${this.name}"`;
    this.jsonPath = `${own}[*]`;
    this.isAbsent = type === ABSENT;
    this.checks = checksOf(definition, type);
    this.required = definition.required === true && !this.isAbsent;
    this.unique = definition.unique === true && !this.isAbsent;
    this.multiple = definition.multiple === true || type.isList === true;
    this.sortable = type.sortable && !context.isInList;
    this.filterable = type.key !== undefined && !context.isInList;
    this.textual = type.textual;
    this.indexName = indexName ?? (context.index === context.path ? this.path : context.index + this.name);
    const isInList = this.multiple || context.isInList;
    this.filterField = isInList ? `${this.indexName}[]` : this.indexName;
    this.parts = (type.parts?.(definition) ?? []).map(({ block, fields }) => {
      const key = block === undefined ? this.key : `${this.key}.${block}`;
      const items = block === undefined ? this.jsonPath : `${this.jsonPath} ? (@.block == "${block}")`;
      const inner = { path: `${this.path}.`, key: `${key}.`, index: `${this.indexName}.`, isInList, jsonPath: items };
      return new FieldList(fields, kind, { context: inner, block });
    });
    this.byBlock = type.parts ? new Map(this.parts.map((part) => [part.block, part])) : NO_BLOCKS;
    const inner = this.parts.flatMap(({ fields }) => fields);
    this.leafFields = type.parts ? inner.flatMap(({ leafFields }) => leafFields) : [this];
    this.isKept = this.isAbsent || inner.some((one) => one.isKept);
    this.indexed =
      this.filterable || (type.key !== undefined && type.refers === true) || inner.some((one) => one.indexed);
    this.searchable = (type.searchText ?? type.searchLines) !== undefined || inner.some((one) => one.searchable);
  }

  /** The `path` without the locale, as requests and responses have it. */
  get ownPath(): string {
    return ownName(this.path);
  }

  /** Why values of the field have no key, as the end of a sentence. */
  get withoutKey(): string {
    const { type } = this.definition;
    return this.isAbsent ? `its type ${type} belongs to an extension that is turned off` : `its type is ${type}`;
  }

  /** The `field` of the index rows that sort. */
  get sortField(): string {
    return this.indexName;
  }

  /** The content types that a reference names, by ID or slug. */
  get contentTypes(): readonly string[] {
    return namedTypes(this.definition);
  }

  /** Returns the list that a value of a list field stands for, if it is stored as text. */
  private listOf(value: unknown): unknown {
    return this.type.isListText && typeof value === 'string' ? value.split(SEPARATOR) : value;
  }

  /** Returns what is stored of a valid value, if lists are stored as text. */
  textOf(value: unknown): string {
    return Array.isArray(value) ? value.join(SEPARATOR) : (value as string);
  }

  /** Returns the definitions that an item of a valid value has. */
  partOf(item: Readonly<Record<string, unknown>>): FieldList | undefined {
    const [first] = this.parts;
    return first && first.block === undefined ? first : this.byBlock.get(item['block']);
  }

  /** Same as `inspectSliced`, at once. */
  inspect(value: unknown, validation: Validation, path = `fields.${this.name}`): void {
    runAtOnce(this.inspectSliced(value, new Check(this.definition, path, validation)));
  }

  /** Reports every error of a supplied value. The caller must handle null. */
  *inspectSliced(sent: unknown, check: Check): SlicedWork<void> {
    if (!this.multiple) return yield* this.inspectElement(sent, check);
    const value = this.listOf(sent);
    if (!isList(value, check) || !this.fitsAsList(value, check)) return;
    for (const [index, element] of value.entries()) {
      if (this.parts.length > 0) yield* this.inspectElement(element, check.element(index));
      else this.checkElement(element, check.element(index));
      if (index % ELEMENTS === ELEMENTS - 1) yield;
    }
  }

  private fitsAsList(list: readonly unknown[], check: Check): boolean {
    const before = check.validation.errorCount;
    for (const checkList of this.checks.ofList) checkList(list, check);
    return check.validation.errorCount === before;
  }

  private checkElement(element: unknown, check: Check): void {
    const before = check.validation.errorCount;
    this.type.check(element, check);
    // What is not a value of the type cannot be measured.
    if (this.checks.ofValue.length === 0 || check.validation.errorCount > before) return;
    for (const checkValue of this.checks.ofValue) checkValue(element, check, this.type);
  }

  private *inspectElement(element: unknown, check: Check): SlicedWork<void> {
    this.checkElement(element, check);
    if (this.parts.length === 0 || !isRecord(element)) return;
    const part = this.partOf(element);
    if (part && Object.keys(element).length + part.required.length > 0) yield* part.inspectSliced(element, check);
  }

  /** Whether a value is not of the type at all, as one of a field that had another type once may be. */
  *isMisfitSliced(value: unknown): SlicedWork<boolean> {
    const validation = new Validation(undefined, { patterns: false, missing: false });
    yield* this.inspectSliced(value, new Check(this.definition, '', validation));
    return validation.errors.some(({ code }) => MISFIT.has(code));
  }

  /** Lists the leaves in a valid value, in the order of the value. Also yields undefined after each item, because many may have no leaves. */
  *leaves(value: unknown, path: string): Generator<Leaf | undefined, void, undefined> {
    if (this.parts.length === 0) return yield { field: this, value, path };
    const items = (this.multiple ? value : [value]) as Record<string, unknown>[];
    for (const [index, item] of items.entries()) {
      const part = this.partOf(item);
      const at = this.multiple ? `${path}.${index}` : path;
      for (const name of Object.keys(item)) {
        const [field, inner] = [part?.field(name), supplied(item, name)];
        if (field && inner !== undefined) yield* field.leaves(inner, `${at}.${name}`);
      }
      yield undefined;
    }
  }

  /**
   * Returns the index rows of a valid value; none if it has no key. Where there may be several values, there is a row for each distinct one,
   * in order. If the field is sortable, the row that sorts comes first.
   */
  *indexRows(value: unknown): SlicedWork<IndexRow[]> {
    if (!this.indexed) return [];
    if (this.parts.length === 0) return yield* this.rowsOf(value);
    const rows = new Map<string, IndexRow>();
    let count = 0;
    for (const leaf of this.leaves(value, '')) {
      if (++count % ELEMENTS === 0) yield;
      if (!leaf?.field.indexed) continue;
      for (const row of yield* leaf.field.rowsOf(leaf.value)) rows.set(rowKey(row), row);
    }
    return [...rows.values()];
  }

  private *rowsOf(value: unknown): SlicedWork<IndexRow[]> {
    const { key: keyOf } = this.type;
    if (!keyOf) return [];
    const field = this.filterField;
    if (!this.multiple) {
      const { key, discriminator } = keyOf(value);
      return [{ field, key, discriminator }];
    }
    const distinct = new Map<string, IndexRow>();
    for (const [index, element] of (this.listOf(value) as unknown[]).entries()) {
      const { key, discriminator } = keyOf(element);
      distinct.set(`${key}\0${discriminator}`, { field, key, discriminator });
      if (index % ELEMENTS === ELEMENTS - 1) yield;
    }
    const rows = [...distinct.values()].sort(
      (a, b) => compareKeys(a.key, b.key) || compareKeys(a.discriminator, b.discriminator),
    );
    const [least] = rows;
    if (this.sortable && least) rows.unshift({ ...least, field: this.sortField });
    return rows;
  }

  /** Returns the text of a valid value of a field without parts for full-text search: a line or more for each value of a list. */
  *searchLines(value: unknown, role: 'title' | 'body'): SlicedWork<SearchLine[]> {
    const { searchText, searchLines } = this.type;
    const lines: SearchLine[] = [];
    for (const [index, element] of (this.multiple ? (this.listOf(value) as unknown[]) : [value]).entries()) {
      if (searchLines) for (const line of yield* searchLines(element)) lines.push(line);
      else if (searchText) lines.push([{ text: searchText(element), role }]);
      if (index % ELEMENTS === ELEMENTS - 1) yield;
    }
    return lines;
  }

  /** Returns the key to compare with, or undefined if the text is not a value of the type. */
  readFilter(text: string): FilterKey | undefined {
    return this.type.readFilter?.(text);
  }

  /** Same as `readFilter`, for equality: also returns undefined for a text that no value of the field can be equal to. */
  readEqual(text: string): FilterKey | undefined {
    return this.type.canEqual?.(text, this.definition) === false ? undefined : this.readFilter(text);
  }

  /** Returns the elements of a valid value with their paths. A value that is not a list is its only element. */
  elements(value: unknown, path: string): { value: unknown; path: string }[] {
    if (!this.multiple) return [{ value, path }];
    return (this.listOf(value) as unknown[]).map((element, index) => ({ value: element, path: `${path}.${index}` }));
  }

  /** Returns a short text that is the same for equal values of the field only. */
  identity(element: unknown): string {
    return this.type.identity?.(element) ?? this.type.key?.(element).key ?? '';
  }
}

/** The compiled definitions of a record, of a group, or of a kind of block. */
export class FieldList {
  readonly fields: readonly CompiledField[];
  private readonly byName: ReadonlyMap<string, CompiledField>;
  readonly block: string | undefined;
  /** Those that each item must have. */
  readonly required: readonly CompiledField[];

  constructor(
    definitions: readonly FieldDefinition[],
    kind: FieldKind,
    {
      context = TOP_LEVEL,
      block,
      indexNames,
    }: { context?: FieldContext; block?: string; indexNames?: IndexNames | null } = {},
  ) {
    this.block = block;
    const names = indexNames && new Map(Object.entries(indexNames));
    const types = typesOf(kind);
    this.fields = definitions.map((definition) => {
      // The type was known when the definition was stored.
      const type = types.get(definition.type) ?? ABSENT;
      return new CompiledField(definition, type, kind, context, names?.get(definition.name));
    });
    this.byName = new Map(this.fields.map((field) => [field.name, field]));
    this.required = this.fields.filter(({ required }) => required);
  }

  field(name: string): CompiledField | undefined {
    return this.byName.get(name);
  }

  /** Reports every error of an item that has these fields. The work depends on the size of the item, not on the number of fields. */
  *inspectSliced(item: Record<string, unknown>, check: Check): SlicedWork<void> {
    const { validation } = check;
    this.reportUnknown(item, check.path, validation);
    for (const name of Object.keys(item)) {
      const [field, value] = [this.byName.get(name), supplied(item, name)];
      if (field && value !== undefined) yield* field.inspectSliced(value, check.below(field.definition, name));
    }
    if (!validation.looksForMissing) return;
    for (const { name, definition } of this.required) {
      if (validation.isFull) return;
      if (supplied(item, name) === undefined) reportMissing(check.below(definition, name));
    }
  }

  /** Reports an error for each name that is not a field. */
  reportUnknown(values: object, path: string, validation: Validation): void {
    for (const key of Object.keys(values)) {
      if (this.byName.has(key) || (key === 'block' && this.block !== undefined)) continue;
      if (validation.isFull) return;
      const name = shorten(key);
      const hint = validation.errors.length < MAX_HINTS ? this.hint(key) : '';
      validation.add(`${path}.${name}`, 'unknown_property', `There is no field ${name}.${hint}`);
    }
  }

  private hint(name: string): string {
    const names = this.fields.flatMap((field) => (field.locale === undefined ? field.name : []));
    return suggestion(name, names) || ` The fields are ${listed(names)}.`;
  }
}
