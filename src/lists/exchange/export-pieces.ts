import type { Caller } from '../../http/caller.js';
import type { LargeRecords, LargeRow } from '../large-json.js';
import type { ExchangeQueue } from './exchange-admission.js';

/** Records that an export reads together. */
export const EXPORT_PAGE = 100;
/** Memory that an export holds: a page of records that are not large, or one large record, as row, as text and as bytes; and the next page. */
export const EXPORT_BYTES = 32 * 1024 * 1024;

export const EXPORT_CONTENT_TYPES = {
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
};

interface ExportPage<Row> {
  rows: readonly (Row | LargeRow)[];
  large: LargeRecords<Row>;
  meta: { next_cursor?: string | null };
}

interface Export<Row, Page> {
  queue: ExchangeQueue;
  caller: Caller;
  /** Throws if the caller may not read any more. Called before each page but the first. */
  assertAdmitted: () => Promise<void>;
  /** Reads the page of a list at the cursor, which is empty at first. */
  read: (cursor: string) => Promise<Page>;
  /** Returns what precedes the rows of the first page. */
  head: (page: Page) => Promise<string> | string;
  write: (page: Page, rows: readonly Row[]) => Promise<string>;
}

/**
 * Generates what a list shows, page after page along its cursor, as fast as the client reads. No connection is held, so records that change
 * meanwhile may be shown as they were or as they are, as in a walk with a cursor.
 */
export async function* exportPieces<Row extends { fields: string | null }, Page extends ExportPage<Row>>({
  queue,
  caller,
  assertAdmitted,
  read,
  head,
  write,
}: Export<Row, Page>): AsyncGenerator<string> {
  const leave = await queue.enter(caller);
  try {
    let page = await read('');
    const first = await head(page);
    if (first !== '') yield first;
    for (;;) {
      const cursor = page.meta.next_cursor ?? null;
      // Beside a busy tenant, each statement waits. This one does so while the page before it is written and sent.
      const next = cursor === null ? undefined : assertAdmitted().then(() => read(cursor));
      // It is not awaited if the client has left.
      next?.catch(() => undefined);
      yield* piecesOf(page, write);
      if (!next) return;
      page = await next;
    }
  } finally {
    leave();
  }
}

/** Large records are read one by one. One that was deleted meanwhile is left out. */
async function* piecesOf<Row extends { fields: string | null }, Page extends ExportPage<Row>>(
  page: Page,
  write: (page: Page, rows: readonly Row[]) => Promise<string>,
): AsyncGenerator<string> {
  let rows: Row[] = [];
  for (const row of page.rows) {
    if (row.fields !== null) {
      rows.push(row);
      continue;
    }
    if (rows.length > 0) yield await write(page, rows);
    rows = [];
    const large = await page.large.rows([(row as LargeRow).id]);
    if (large.length > 0) yield await write(page, large);
  }
  if (rows.length > 0) yield await write(page, rows);
}
