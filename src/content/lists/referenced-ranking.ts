import {
  type CursorPage,
  cursorPage,
  foreignCursor,
  type NumberedPage,
  offsetOf,
  type Keyset,
  keysetOf,
} from '../../lists/page.js';
import type { ListQuery } from '../../lists/engine/list-query.js';
import type { ListReader, ListResult } from '../../lists/engine/list-reader.js';
import type { EntryColumns, ListedEntry } from './entry-list.js';
import type { EntryRanking } from './entry-ranking.js';

/** The part of the list in a cursor; the parts of `EntryRanking` have other names. */
const REFERRED = 'referred';
/** Entries are listed from the highest ID on, so this is before the first one. */
const BEFORE_FIRST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * The matches of a search with `referenced=true`: first those that match by their own words, in the order of `own`, then those that match
 * only through titles referred to, from the newest on.
 */
export class ReferencedRanking {
  constructor(
    private readonly list: ListReader<EntryColumns>,
    private readonly own: EntryRanking,
    /** The matches through titles only. Undefined if there can be none. */
    private readonly referred: ListQuery | undefined,
  ) {}

  /** Returns undefined if the schema is no longer current. */
  async numberedPage(page: NumberedPage): Promise<ListResult<ListedEntry> | undefined> {
    const first = await this.own.numberedPage(page);
    if (!first || !this.referred) return first;
    const path = await this.list.path(this.referred);
    const totals = await this.list.totals(this.referred, path);
    if (!totals) return undefined;
    const { rows } = first;
    const own = first.meta.total ?? 0;
    const bounds = { limit: page.perPage - rows.length, offset: Math.max(0, offsetOf(page) - own) };
    if (bounds.limit > 0 && bounds.offset < totals.total) {
      rows.push(...(await this.list.rows(this.referred, path, 'with value', bounds, false)).rows);
    }
    return { rows, meta: { ...first.meta, total: own + totals.total } };
  }

  /** The same order as by page. `name` identifies the list. */
  async cursorPage(page: CursorPage, name: string): Promise<ListResult<ListedEntry> | undefined> {
    const keys = keysetOf(page, name);
    if (keys?.[0] === REFERRED) return this.after(afterOf(keys), [], page, name);
    const first = await this.own.cursorPage(page, name);
    // The next page begins among the entries that match by their own words.
    if (!first || first.meta.next_cursor) return first;
    return this.after(BEFORE_FIRST, first.rows, page, name);
  }

  /** Fills the page up with the entries after the ID. */
  private async after(
    id: string,
    own: readonly ListedEntry[],
    page: CursorPage,
    name: string,
  ): Promise<ListResult<ListedEntry> | undefined> {
    const rows = this.referred ? await this.rowsAfter(id, this.referred, page.perPage + 1 - own.length) : [];
    if (!rows) return undefined;
    const isReferred = new Set(rows.map((row) => row.id));
    return cursorPage([...own, ...rows], page.perPage, name, (last) => [
      REFERRED,
      '0',
      isReferred.has(last.id) ? last.id : BEFORE_FIRST,
    ]);
  }

  private async rowsAfter(id: string, query: ListQuery, limit: number): Promise<ListedEntry[] | undefined> {
    const path = await this.list.path(query);
    const { isCurrent, rows } = await this.list.rows(query, path, 'with value', { limit, after: [id] }, false);
    return isCurrent ? rows : undefined;
  }
}

function afterOf([, , id]: Keyset): string {
  if (typeof id !== 'string') throw foreignCursor();
  return id;
}
