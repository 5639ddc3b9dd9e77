import type { Steps } from '../admission/steps.js';
import { Check, Findings } from './check.js';
import { FieldDefinition } from './field-definition.js';
import { FieldType } from './field-type.js';
import { compareKeys, FilterKey, ValueKey } from './sort-key.js';

/** Number of list elements that one step processes. */
export const ELEMENTS = 50;

/** Maximum number of elements in a list. */
const MAX_ELEMENTS = 1_000;

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

/** A field definition together with its type. */
export class CompiledField {
  readonly name: string;
  readonly required: boolean;
  readonly multiple: boolean;
  readonly sortable: boolean;
  readonly filterable: boolean;
  /** Whether full-text search includes the field. */
  readonly searchable: boolean;
  /** Whether `contains` and `starts_with` apply. */
  readonly textual: boolean;
  /** The `field` of the index rows that sort. */
  readonly sortField: string;
  /** The `field` of the index rows that filters read. A list has one row for each distinct value. */
  readonly filterField: string;

  constructor(
    readonly definition: FieldDefinition,
    readonly type: FieldType,
  ) {
    this.name = definition.name;
    this.required = definition.required === true;
    this.multiple = definition.multiple === true;
    this.sortable = type.sortable;
    this.filterable = type.key !== undefined;
    this.searchable = (type.searchText ?? type.searchLines) !== undefined;
    this.textual = type.textual;
    this.sortField = this.name;
    this.filterField = this.multiple ? `${this.name}[]` : this.name;
  }

  /** Reports every error of a supplied value. The caller must handle null. */
  inspect(value: unknown, findings: Findings, path = `fields.${this.name}`): void {
    const check = new Check(this.definition, path, findings);
    if (!this.multiple) return this.type.check(value, check);
    if (!Array.isArray(value)) return check.fault('type', 'must be a list');
    if (value.length > MAX_ELEMENTS) return check.fault('too_long', `must have at most ${MAX_ELEMENTS} values`);
    if (value.length === 0 && this.required) return check.fault('required', 'is required');
    value.forEach((element: unknown, index) => this.type.check(element, check.element(index)));
  }

  /**
   * Returns the index rows of a valid value; none if the type has no key. A list has a row for each distinct element, in order. If it is
   * sortable, the row that sorts comes first.
   */
  *indexRows(value: unknown): Steps<IndexRow[]> {
    const { key: keyOf } = this.type;
    if (!keyOf) return [];
    const field = this.filterField;
    if (!this.multiple) {
      const { key, discriminator } = keyOf(value);
      return [{ field, key, discriminator }];
    }
    const distinct = new Map<string, IndexRow>();
    for (const [index, element] of (value as unknown[]).entries()) {
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
    return (value as unknown[]).map((element, index) => ({ value: element, path: `${path}.${index}` }));
  }

  /** Returns a short text that is the same for equal values of the field only. */
  identity(element: unknown): string {
    return this.type.identity?.(element) ?? this.type.key?.(element).key ?? '';
  }
}
