import { LessThan, type FindOptionsOrder } from 'typeorm';
import type { TenantRepository, Where } from '../database/tenant-repository.js';
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

/** A page of a tenant's records by id downward, which is newest first; `list` names it in its cursors. */
export async function newestFirst<E extends { tenantId: string; id: string }>(
  repository: TenantRepository<E>,
  tenantId: string,
  page: Page,
  list: string,
): Promise<{ rows: E[]; meta: ListMeta }> {
  const order = { id: 'DESC' } as FindOptionsOrder<E>;
  if (isNumbered(page)) {
    const rows = await repository.find(tenantId, {}, { order, take: page.perPage, skip: offsetOf(page) });
    return {
      rows,
      meta: { page: page.page, per_page: page.perPage, total: await repository.count(tenantId, {}) },
    };
  }
  const [after] = page.after ?? [];
  const where = (after ? { id: LessThan(after) } : {}) as Where<E>;
  const found = await repository.find(tenantId, where, { order, take: page.perPage + 1 });
  const rows = found.slice(0, page.perPage);
  const last = found.length > rows.length ? rows.at(-1) : undefined;
  return { rows, meta: cursorMeta(page.perPage, list, last && [last.id]) };
}
