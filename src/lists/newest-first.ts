import type { Database } from '../database/database.js';
import { type NoParameters, type Statement, statement } from '../database/statement.js';
import { cursorPage, isNumbered, type ListMeta, offsetOf, type Page, placeOf } from './page.js';

/** The statements for the list of all rows of a tenant, in a table whose primary key is the tenant and a UUID. */
export interface NewestFirst<Row> {
  /** Identifies the list in its cursors. */
  name: string;
  page: Statement<{ limit: number; offset: number }, Row>;
  first: Statement<{ limit: number }, Row>;
  after: Statement<{ limit: number; after: string }, Row>;
  count: Statement<NoParameters, { total: number }>;
}

/** Declares the statements of such a list. `table` and `columns` are SQL. The columns must include `id`. */
export function newestFirstList<Row>(list: { name: string; table: string; columns: string }): NewestFirst<Row> {
  const { name, table, columns } = list;
  const select = `SELECT ${columns} FROM ${table} WHERE tenant_id = :tenantId`;
  const order = 'ORDER BY id DESC LIMIT :limit';
  return {
    name,
    page: statement<{ limit: number; offset: number }, Row>()(`${table}.page`, `${select} ${order} OFFSET :offset`),
    first: statement<{ limit: number }, Row>()(`${table}.first`, `${select} ${order}`),
    after: statement<{ limit: number; after: string }, Row>()(`${table}.after`, `${select} AND id < :after ${order}`),
    count: statement<NoParameters, { total: number }>()(
      `${table}.count`,
      `SELECT count(*) AS total FROM ${table} WHERE tenant_id = :tenantId`,
    ),
  };
}

/** Returns a page of a tenant's records by descending ID, which is newest first. */
export async function newestFirst<Row extends { id: string }>(
  database: Database,
  tenantId: string,
  page: Page,
  list: NewestFirst<Row>,
): Promise<{ rows: Row[]; meta: ListMeta }> {
  if (isNumbered(page)) {
    const rows = await database.query(tenantId, list.page, { limit: page.perPage, offset: offsetOf(page) });
    const [count] = await database.query(tenantId, list.count, {});
    return { rows, meta: { page: page.page, per_page: page.perPage, total: count?.total ?? 0 } };
  }
  const limit = page.perPage + 1;
  const [after] = placeOf(page, list.name) ?? [];
  const found = after
    ? await database.query(tenantId, list.after, { limit, after })
    : await database.query(tenantId, list.first, { limit });
  return cursorPage(found, page.perPage, list.name, ({ id }) => [id]);
}
