import {
  cursorPage,
  type CursorPage,
  foreignCursor,
  isNumbered,
  type ListMeta,
  offsetOf,
  type Page,
  keysetOf,
} from '../lists/page.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A field of an entry that contains something: a reference or a file. `field` is its path. */
export interface EntryField {
  entryId: string;
  field: string;
}

/** How the rows of such a list are read: the newest entry first, and its fields by name. */
interface EntryFieldReads<Row extends EntryField> {
  page: (limit: number, offset: number) => Promise<Row[]>;
  first: (limit: number) => Promise<Row[]>;
  after: (last: EntryField, limit: number) => Promise<Row[]>;
  count: () => Promise<number>;
}

/** Reads a page of a list of fields of entries. `name` is that of the list, whose cursors belong to no other list. */
export async function listEntryFields<Row extends EntryField>(
  page: Page,
  name: string,
  reads: EntryFieldReads<Row>,
): Promise<{ rows: Row[]; meta: ListMeta }> {
  if (!isNumbered(page)) return visitPages(page, name, reads);
  const { perPage } = page;
  const rows = await reads.page(perPage, offsetOf(page));
  return { rows, meta: { page: page.page, per_page: perPage, total: await reads.count() } };
}

async function visitPages<Row extends EntryField>(
  page: CursorPage,
  name: string,
  { first, after }: EntryFieldReads<Row>,
): Promise<{ rows: Row[]; meta: ListMeta }> {
  const place = keysetOf(page, name);
  const [entryId, field, ...others] = place ?? [];
  if (place && (!entryId || !UUID.test(entryId) || !field || others.length > 0)) throw foreignCursor();
  const limit = page.perPage + 1;
  const found = await (entryId && field ? after({ entryId, field }, limit) : first(limit));
  return cursorPage(found, page.perPage, name, (last) => [last.entryId, last.field]);
}
