import {
  type CursorPage,
  cursorPage,
  foreignCursor,
  type NumberedPage,
  offsetOf,
  type Place,
  placeOf,
} from '../../lists/page.js';
import type { ListedRow, ListResult } from './entry-list.js';
import type { ListQuery, Strategy } from './entry-list.sql.js';
import type { EntryRanking, ListReader } from './entry-ranking.js';

/** The part of the list in a cursor; the parts of `EntryRanking` have other names. */
const REFERRED = 'referred';
/** Entries are listed from the highest ID on, so this is before the first one. */
const BEFORE_FIRST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export interface StrategicReader extends ListReader {
  strategy(query: ListQuery): Promise<Strategy>;
}

/**
 * The matches of a search with `referenced=true`: first those that match by their own words, in the order of `own`, then those that match
 * only through titles referred to, from the newest on.
 */
export class ReferencedRanking {
  constructor(
    private readonly list: StrategicReader,
    private readonly own: EntryRanking,
    /** The matches through titles only. Undefined if there can be none. */
    private readonly referred: ListQuery | undefined,
  ) {}

  /** Returns undefined if the schema is no longer current. */
  async numbered(page: NumberedPage): Promise<ListResult | undefined> {
    const first = await this.own.numbered(page);
    if (!first || !this.referred) return first;
    const strategy = await this.list.strategy(this.referred);
    const meta = await this.list.meta(this.referred, strategy);
    if (!meta || !this.list.isCurrent(meta.typeVersion)) return undefined;
    const { rows } = first;
    const own = first.meta.total ?? 0;
    const cut = { limit: page.perPage - rows.length, offset: Math.max(0, offsetOf(page) - own) };
    if (cut.limit > 0 && cut.offset < meta.total) {
      rows.push(...(await this.list.rows(this.referred, strategy, 'valued', cut, false)));
    }
    return { rows, meta: { ...first.meta, total: own + meta.total } };
  }

  /** The same order as by page. `name` identifies the list. */
  async walk(page: CursorPage, name: string): Promise<ListResult | undefined> {
    const place = placeOf(page, name);
    if (place?.[0] === REFERRED) return this.after(afterOf(place), [], page, name);
    const first = await this.own.walk(page, name);
    // The next page begins among the entries that match by their own words.
    if (!first || first.meta.next_cursor) return first;
    return this.after(BEFORE_FIRST, first.rows, page, name);
  }

  /** Fills the page up with the entries after the ID. */
  private async after(
    id: string,
    own: ListResult['rows'],
    page: CursorPage,
    name: string,
  ): Promise<ListResult | undefined> {
    const rows = this.referred ? await this.rowsAfter(id, this.referred, page.perPage + 1 - own.length) : [];
    if (!rows) return undefined;
    const isReferred = new Set(rows.map((row) => row.id));
    return cursorPage([...own, ...rows], page.perPage, name, (last) => [
      REFERRED,
      '0',
      isReferred.has(last.id) ? last.id : BEFORE_FIRST,
    ]);
  }

  private async rowsAfter(id: string, query: ListQuery, limit: number): Promise<ListedRow[] | undefined> {
    const strategy = await this.list.strategy(query);
    const rows = await this.list.rows(query, strategy, 'valued', { limit, after: [id] }, false);
    return rows.every(({ typeVersion }) => this.list.isCurrent(typeVersion)) ? rows : undefined;
  }
}

function afterOf([, , id]: Place): string {
  if (typeof id !== 'string') throw foreignCursor();
  return id;
}
