import type { ContentType } from '../../api/content-types';
import type { Entry } from '../../api/entries';
import type { Column } from '../../lists/column';
import { When } from '../../parts/when';
import { EntryName } from './entry-name';
import { EntryState } from './entry-state';
import { titleField } from './entry-title';
import { isSortable, labelOf, type ListedField, listedFields } from './fields';
import { valueAt } from '../entry/model/paths';
import { ValueCell } from './values/value-cell';

/** How many fields a list shows before anybody has chosen, and how wide they are together, in rem. */
const SHOWN_AT_FIRST = { count: 3, width: 25 };
/** Values that say little in a cell. */
const LONG = ['rich_text', 'json', 'blocks', 'group'];
const WIDTHS: Readonly<Record<string, number>> = {
  integer: 6.5,
  number: 6.5,
  boolean: 7,
  date: 9,
  datetime: 10,
  media: 9,
};

/** The column that names an entry. It is always the first one. */
export function titleColumn(type: ContentType): Column<Entry> {
  const field = titleField(type);
  return {
    name: field?.name ?? 'id',
    label: field ? labelOf(field) : 'ID',
    width: 14,
    sort: field?.name ?? 'id',
    show: (entry) => <EntryName type={type} field={field} entry={entry} />,
  };
}

/** The other columns, which can be chosen. */
export function otherColumns(type: ContentType): readonly Column<Entry>[] {
  const title = titleField(type)?.name;
  const fields = listedFields(type).filter(({ path }) => path !== title);
  return [STATUS, ...fields.map(fieldColumn), ...TIMES, ...(title === undefined ? [] : [ID])];
}

/** What fits into a window: not what only programs read, such as a slug. */
export function firstColumns(type: ContentType): readonly string[] {
  const title = titleField(type)?.name;
  const fields = listedFields(type)
    .filter(({ path, definition: { type: kind, unique } }) => path !== title && !unique && !LONG.includes(kind))
    .slice(0, SHOWN_AT_FIRST.count)
    .map(fieldColumn);
  const end = fields.findIndex((_, index) => widthOf(fields.slice(0, index + 1)) > SHOWN_AT_FIRST.width);
  const fitting = end < 0 ? fields : fields.slice(0, end);
  return [STATUS.name, ...fitting.map(({ name }) => name), 'updated_at'];
}

function widthOf(columns: readonly Column<Entry>[]): number {
  return columns.reduce((sum, { width }) => sum + width, 0);
}

const STATUS: Column<Entry> = {
  name: 'status',
  label: 'Status',
  width: 13,
  sort: 'status',
  show: (entry) => <EntryState entry={entry} />,
};

const TIMES: readonly Column<Entry>[] = [
  {
    name: 'updated_at',
    label: 'Updated',
    width: 9.5,
    sort: 'updated_at',
    show: ({ updated_at: at }) => <When time={at} />,
  },
  {
    name: 'created_at',
    label: 'Created',
    width: 9.5,
    sort: 'created_at',
    show: ({ created_at: at }) => <When time={at} />,
  },
];

const ID: Column<Entry> = { name: 'id', label: 'ID', width: 18, sort: 'id', show: ({ id }) => <code>{id}</code> };

function fieldColumn({ path, label, definition }: ListedField): Column<Entry> {
  return {
    name: path,
    label,
    width: WIDTHS[definition.type] ?? 10,
    isNumber: ['integer', 'number'].includes(definition.type) && !definition.multiple,
    ...(isSortable(definition) && { sort: path }),
    show: ({ fields }) => <ValueCell definition={definition} value={valueAt(fields, path)} />,
  };
}
