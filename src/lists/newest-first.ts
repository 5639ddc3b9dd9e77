import type { Reader } from '../database/servers/replica-reads.js';
import type { Condition } from './conditions/condition.js';
import { NEWEST_FIRST } from './engine/list-query.js';
import { type ListResult, readList } from './engine/list-reader.js';
import { columnsOf, type ListTable } from './engine/list-table.js';
import { unlessLarge } from './large-json.js';
import type { Page } from './page.js';

/** The list of all rows of a tenant, in a table whose primary key is the tenant and a UUID. */
interface NewestFirst {
  /** Identifies the list in its cursors. */
  name: string;
  table: ListTable;
}

/**
 * Declares such a list. `columns` are the columns besides the ID, by their names in the result. `json` is the name of a column that is null if
 * it is large.
 */
export function newestFirstList(list: {
  name: string;
  table: string;
  columns: Readonly<Record<string, string>>;
  json?: string;
}): NewestFirst {
  const { name, table, columns, json } = list;
  const { read, shown } = columnsOf(columns);
  const all =
    json === undefined
      ? { read, shown }
      : {
          read: (row: string) => `${read(row)}, ${row}.${json}`,
          shown: (row: string) => `${shown(row)}, ${unlessLarge(`${row}.${json}`)} AS ${json}`,
        };
  return { name, table: { name: table, id: 'id', columns: all } };
}

/** Returns a page of a tenant's records that meet the conditions by descending ID, which is newest first. */
export async function newestFirst<Row>(
  reads: Reader,
  tenantId: string,
  page: Page,
  { name, table }: NewestFirst,
  conditions: readonly Condition[] = [],
): Promise<ListResult<Row & { id: string }>> {
  return readList<Row>({ reads, tenantId }, table, { conditions, sort: NEWEST_FIRST }, page, name);
}
