import { instantOf, offsetWithPlus } from '../../fields/formats/calendar.js';
import { parseId } from '../../ids/type-id.js';
import { columnCondition, type ComparedColumn } from '../../lists/conditions/column-condition.js';
import { type Condition, constant } from '../../lists/conditions/condition.js';
import type { SortColumn } from '../../lists/engine/list-query.js';
import { type FilterColumn, readAll } from '../../lists/filters/filter-columns.js';

/** The columns of an entry that can be filtered and sorted by like fields. */
type EntryColumn = FilterColumn & SortColumn;

const STATUS: ComparedColumn = { name: 'status', type: 'text', literals: ['draft', 'published'], isFound: true };

/** The condition for API keys that must not see drafts. */
export const PUBLISHED: Condition = hasStatus('published');

const COLUMNS: readonly EntryColumn[] = [
  entryColumn({ name: 'id', type: 'uuid', isFound: true }, 'an entry ID', (text) => parseId('ent', text), {
    isLikeId: true,
  }),
  entryColumn(STATUS, 'draft or published', (text) => STATUS.literals?.find((one) => one === text)),
  // IDs contain the time of creation.
  timeColumn({ name: 'created_at' }, { isLikeId: true }),
  timeColumn({ name: 'updated_at' }),
  // Exactly the published entries have the time.
  timeColumn({ name: 'published_at', isNullable: true }, { exists: PUBLISHED }),
];

export const COLUMN_NAMES: readonly string[] = COLUMNS.map(({ name }) => name);

export function entryColumnNamed(name: string): EntryColumn | undefined {
  return COLUMNS.find((column) => column.name === name);
}

function hasStatus(status: string): Condition {
  return columnCondition({ column: STATUS, operator: '=', values: [status] });
}

function timeColumn(column: { name: string; isNullable?: boolean }, more: Partial<EntryColumn> = {}): EntryColumn {
  return entryColumn({ ...column, type: 'timestamptz' }, 'a date or a date and time', readInstant, more);
}

function entryColumn(
  column: ComparedColumn,
  expected: string,
  read: (text: string) => string | undefined,
  more: Partial<EntryColumn> = {},
): EntryColumn {
  const { name, type, isNullable } = column;
  return {
    name,
    type,
    ...(isNullable && { isNullable }),
    expected,
    exists: constant(true),
    compare: (operator, texts) => {
      const values = readAll(texts, read);
      return values && columnCondition({ column, operator, values });
    },
    ...more,
  };
}

/** Returns the instant in UTC, in a format that PostgreSQL reads. */
function readInstant(text: string): string | undefined {
  const instant = instantOf(offsetWithPlus(text));
  return instant && `${instant}Z`;
}
