import { Problem } from '../../errors/problem.js';
import { instantOf, offsetWithPlus } from '../../fields/formats/calendar.js';
import type { CompiledField } from '../../fields/compiled-field.js';
import { unknownField, unknownSortField } from '../../fields/unknown-field.js';
import type { Query } from '../../http/query.js';
import { firstUuidOf, parseId } from '../../ids/type-id.js';
import type { Condition } from '../../lists/conditions/condition.js';
import { NEWEST_FIRST, type SortKey } from '../../lists/engine/list-query.js';
import { type FilterColumn, readAll } from '../../lists/filters/filter-columns.js';
import { type Filter, fieldCondition } from '../../lists/filters/filters.js';
import type { Comparison } from '../../lists/filters/operators.js';
import type { FilterNames, Named } from '../../lists/filters/resolve-filter.js';
import { readBound } from '../../lists/periods.js';
import type { SortName } from '../../lists/sort-names.js';
import type { CompiledForm } from '../form-schemas.js';
import { hasRow, type IdRange, type Verdict } from './submission-rows.js';

/** What can be filtered and sorted by besides the fields. Both are read from the ID, which contains the time. */
const COLUMNS = new Map<string, { expected: string; read: (text: string) => Required<IdRange> | undefined }>([
  ['id', { expected: 'a submission ID', read: idRange }],
  ['created_at', { expected: 'a date or a date and time', read: timeRange }],
]);
const COLUMN_NAMES = [...COLUMNS.keys()];

const MAX_UUID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Looks up names in a form. */
export class SubmissionNames implements FilterNames {
  readonly rows = 'Submissions';

  constructor(
    private readonly form: Pick<CompiledForm, 'schema' | 'unindexed'>,
    private readonly verdicts: readonly Verdict[],
  ) {}

  /** Throws a 400 (`unknown_field`) if the form has no such name. */
  condition(parameter: string, name: string, make: (named: Named) => Condition): Condition {
    const column = this.column(name);
    if (column) return make({ column });
    const { schema } = this.form;
    const field = schema.field(name);
    if (field) return make({ field });
    const filterable = schema.fields.filter((one) => one.filterable).map((one) => one.name);
    throw unknownField(parameter, name, [...filterable, ...COLUMN_NAMES]);
  }

  /** Throws a 503 while the index of a field that was added or changed is being written. */
  fieldCondition(field: CompiledField, filter: Filter): Condition {
    this.assertIndexed(field.name);
    return fieldCondition(field, filter);
  }

  /**
   * Throws a 400 (`unknown_field`) if the name is neither a field of the form, nor `created_at`, nor `id`, and a 503 while the index of a
   * field that was added or changed is being written.
   */
  order({ name, descending }: SortName): readonly SortKey[] {
    if (COLUMNS.has(name)) return NEWEST_FIRST.map((key) => ({ ...key, descending }));
    const { schema } = this.form;
    const field = schema.field(name);
    if (!field?.sortable) {
      const sortable = schema.fields.filter((one) => one.sortable).map((one) => one.name);
      throw unknownSortField(name, [...sortable, ...COLUMN_NAMES]);
    }
    this.assertIndexed(name);
    return [{ by: 'field', field, descending }];
  }

  private column(name: string): FilterColumn | undefined {
    const column = COLUMNS.get(name);
    if (!column) return undefined;
    const hasId = (ranges: readonly IdRange[]) => hasRow(this.verdicts, { ids: [{ ranges, negated: false }] });
    return {
      name,
      expected: column.expected,
      exists: hasId([{}]),
      compare: (comparison, texts) => {
        const ranges = readAll(texts, column.read);
        return ranges && hasId(compared(comparison, ranges));
      },
    };
  }

  private assertIndexed(name: string): void {
    if (!this.form.unindexed.includes(name)) return;
    throw Problem.unavailable(`The submissions are being indexed by ${name}, because the field was added or changed.`);
  }
}

function compared(comparison: Comparison, ranges: readonly Required<IdRange>[]): readonly IdRange[] {
  const [range] = ranges;
  switch (comparison) {
    case '=':
    case 'in':
      return ranges;
    case '<':
      return [{ below: range?.from }];
    case '<=':
      return [{ below: range?.below }];
    case '>':
      return [{ from: range?.below }];
    case '>=':
      return [{ from: range?.from }];
  }
}

/** Returns the range that has only this ID. */
function idRange(text: string): Required<IdRange> | undefined {
  const from = parseId('sub', text);
  if (from === undefined) return undefined;
  const digits = (BigInt(`0x${from.replaceAll('-', '')}`) + 1n).toString(16).padStart(32, '0');
  // No submission has the greatest of all UUIDs.
  if (digits.length > 32) return { from: MAX_UUID, below: MAX_UUID };
  return { from, below: digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') };
}

/** Returns the range of the IDs that were created at this instant. It is empty between two milliseconds. */
function timeRange(text: string): Required<IdRange> | undefined {
  const instant = instantOf(offsetWithPlus(text));
  return instant === undefined ? undefined : rangeOfInstant(instant);
}

function rangeOfInstant(instant: string): Required<IdRange> {
  const [, milliseconds = '', rest = ''] = /\.(\d{1,3})(\d*)$/.exec(instant) ?? [];
  const time = Date.parse(`${instant.slice(0, 19)}Z`) + Number(milliseconds.padEnd(3, '0'));
  const next = firstUuidOf(new Date(time + 1));
  return { from: rest === '' ? firstUuidOf(new Date(time)) : next, below: next };
}

/** Returns the IDs from the beginning to the end of a period, both included. Throws a 400 if a bound is no time. */
export function periodOf(query: Query): IdRange | undefined {
  const [from, to] = [readBound(query, 'from', 'start'), readBound(query, 'to', 'end')];
  if (from === undefined && to === undefined) return undefined;
  return { from: from && rangeOfInstant(from).from, below: to && rangeOfInstant(to).below };
}
