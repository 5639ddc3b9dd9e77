import { Injectable } from '@nestjs/common';
import type { Caller } from '../http/caller.js';
import { Bindings, type Composed } from '../database/bindings.js';
import { Database } from '../database/database.js';
import { cursorPage, isNumbered, type ListMeta, offsetOf, type Page, placeOf } from '../lists/page.js';
import { matchesVector } from '../search/matches-search.js';
import type { SearchMatch } from '../search/search-match.js';
import type { MediaFilters } from './media-filters.js';
import { mediaMatch } from './media-search.js';
import { COLUMNS, type MediaRow } from './media.sql.js';

/** Lists a tenant's files, newest first. */
@Injectable()
export class MediaListsService {
  constructor(private readonly database: Database) {}

  /** Throws a 400 if the cursor belongs to another list. */
  async list(
    { tenantId }: Caller,
    { mimeType, search }: MediaFilters,
    page: Page,
  ): Promise<{ rows: MediaRow[]; meta: ListMeta }> {
    const list = new ListStatement(mimeType, search === undefined ? undefined : mediaMatch(tenantId, search));
    if (isNumbered(page)) {
      const [rows, [total]] = await Promise.all([
        this.database.queryComposed<MediaRow>(tenantId, list.page(page.perPage, offsetOf(page))),
        this.database.queryComposed<{ files: number }>(tenantId, list.total()),
      ]);
      return { rows, meta: { page: page.page, per_page: page.perPage, total: total?.files ?? 0 } };
    }
    const [after] = placeOf(page, list.name) ?? [];
    const found = await this.database.queryComposed<MediaRow>(tenantId, list.walk(page.perPage + 1, after));
    return cursorPage(found, page.perPage, list.name, ({ id }) => [id]);
  }
}

/** Builds the statements of one list. */
class ListStatement {
  /** Identifies the list in its cursors. */
  readonly name: string;

  constructor(
    private readonly mimeType: string | undefined,
    private readonly search: SearchMatch | undefined,
  ) {
    this.name = JSON.stringify(['media', mimeType, search?.vector]);
  }

  page(limit: number, offset: number): Composed {
    const bindings = new Bindings();
    const where = this.conditions(bindings).join(' AND ');
    const text = `SELECT ${COLUMNS} FROM media WHERE ${where}
      ORDER BY id DESC LIMIT ${bindings.add(limit)} OFFSET ${bindings.add(offset)}`;
    return { text, values: bindings.values };
  }

  /** Selects the rows after the ID `after`, or the first rows. */
  walk(limit: number, after: string | null | undefined): Composed {
    const bindings = new Bindings();
    const conditions = this.conditions(bindings);
    if (after) conditions.push(`id < ${bindings.add(after)}::uuid`);
    const where = conditions.join(' AND ');
    const text = `SELECT ${COLUMNS} FROM media WHERE ${where} ORDER BY id DESC LIMIT ${bindings.add(limit)}`;
    return { text, values: bindings.values };
  }

  /** Reads the counters; for a search, counts the rows. */
  total(): Composed {
    const bindings = new Bindings();
    const where = this.conditions(bindings).join(' AND ');
    const text =
      this.search === undefined
        ? `SELECT coalesce(sum(files), 0)::bigint AS files FROM media_counts WHERE ${where}`
        : `SELECT count(*) AS files FROM media WHERE ${where}`;
    return { text, values: bindings.values };
  }

  private conditions(bindings: Bindings): string[] {
    const { mimeType, search } = this;
    const conditions = ['tenant_id = $1'];
    if (mimeType?.endsWith('/*')) conditions.push(`starts_with(mime_type, ${bindings.add(mimeType.slice(0, -1))})`);
    else if (mimeType !== undefined) conditions.push(`mime_type = ${bindings.add(mimeType)}`);
    if (search !== undefined) conditions.push(matchesVector(search, 'search', bindings));
    return conditions;
  }
}
