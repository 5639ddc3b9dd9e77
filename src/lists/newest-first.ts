import type { Database, Value } from '../database/database.js';
import { encodeCursor } from './cursor.js';
import { isNumbered, offsetOf, type Page } from './page.js';

export interface ListMeta {
  page?: number;
  per_page: number;
  total?: number;
  next_cursor?: string | null;
}

/** The `meta` of a page by cursor; `next` is where the next page begins, undefined at the end. */
export function cursorMeta(perPage: number, list: string, next: readonly (string | null)[] | undefined): ListMeta {
  return { per_page: perPage, next_cursor: next ? encodeCursor(next, list) : null };
}

/** What is listed: all rows of a tenant in a table whose primary key is the tenant and a UUID. All of it is SQL. */
export interface NewestFirst {
  /** Names the list in its cursors. */
  list: string;
  table: string;
  /** Expressions, the id among them. */
  columns: string;
}

/** A page of a tenant's records by id downward, which is newest first. */
export async function newestFirst<Row extends { id: string }>(
  database: Database,
  tenantId: string,
  page: Page,
  { list, table, columns }: NewestFirst,
): Promise<{ rows: Row[]; meta: ListMeta }> {
  const select = (name: string, rest: string, values: Value[]) =>
    database.query<Row>(
      tenantId,
      { name: `${table}.${name}`, text: `SELECT ${columns} FROM ${table} ${rest}` },
      values,
    );
  if (isNumbered(page)) {
    const rest = 'WHERE tenant_id = $1 ORDER BY id DESC LIMIT $2 OFFSET $3';
    const rows = await select('page', rest, [page.perPage, offsetOf(page)]);
    const text = `SELECT count(*) AS total FROM ${table} WHERE tenant_id = $1`;
    const [count] = await database.query<{ total: number }>(tenantId, { name: `${table}.count`, text });
    return { rows, meta: { page: page.page, per_page: page.perPage, total: count?.total ?? 0 } };
  }
  const [after] = page.after ?? [];
  const found = after
    ? await select('after', 'WHERE tenant_id = $1 AND id < $3 ORDER BY id DESC LIMIT $2', [page.perPage + 1, after])
    : await select('first', 'WHERE tenant_id = $1 ORDER BY id DESC LIMIT $2', [page.perPage + 1]);
  const rows = found.slice(0, page.perPage);
  const last = found.length > rows.length ? rows.at(-1) : undefined;
  return { rows, meta: cursorMeta(page.perPage, list, last && [last.id]) };
}
