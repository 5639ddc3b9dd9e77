import type { Database } from '../database/database.js';
import { statement } from '../database/statement.js';
import { unlessLarge, type LargeRow } from '../lists/large-json.js';
import { cursorPage, isNumbered, type ListMeta, offsetOf, type Page, placeOf } from '../lists/page.js';
import type { ContentTypeRow } from './content-type-presenter.js';

type Row = ContentTypeRow | LargeRow;
type Ids = { ids: readonly string[] };

const NAME = 'content types';
const OF_TYPES = 'FROM content_types WHERE tenant_id = :tenantId AND id = ANY (:ids::uuid[])';
const SELECT = `SELECT id, name, slug, created_at AS "createdAt", ${unlessLarge('fields')} AS fields ${OF_TYPES}`;
const ORDER = 'ORDER BY id DESC LIMIT :limit';

const PAGE = statement<Ids & { limit: number; offset: number }, Row>()(
  'content_types.page_of_types',
  `${SELECT} ${ORDER} OFFSET :offset`,
);

const FIRST = statement<Ids & { limit: number }, Row>()('content_types.first_of_types', `${SELECT} ${ORDER}`);

const AFTER = statement<Ids & { limit: number; after: string }, Row>()(
  'content_types.after_of_types',
  `${SELECT} AND id < :after ${ORDER}`,
);

const COUNT = statement<Ids, { total: number }>()(
  'content_types.count_of_types',
  `SELECT count(*) AS total ${OF_TYPES}`,
);

/** Like `newestFirst`, for the content types that a key is limited to. */
export async function newestOfTypes(
  database: Database,
  tenantId: string,
  ids: readonly string[],
  page: Page,
): Promise<{ rows: Row[]; meta: ListMeta }> {
  if (isNumbered(page)) {
    const rows = await database.query(tenantId, PAGE, { ids, limit: page.perPage, offset: offsetOf(page) });
    const [count] = await database.query(tenantId, COUNT, { ids });
    return { rows, meta: { page: page.page, per_page: page.perPage, total: count?.total ?? 0 } };
  }
  const limit = page.perPage + 1;
  const [after] = placeOf(page, NAME) ?? [];
  const found = after
    ? await database.query(tenantId, AFTER, { ids, limit, after })
    : await database.query(tenantId, FIRST, { ids, limit });
  return cursorPage(found, page.perPage, NAME, ({ id }) => [id]);
}
