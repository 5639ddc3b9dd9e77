import { Injectable } from '@nestjs/common';
import type { Caller } from '../access/caller.js';
import { Database, type Value } from '../database/database.js';
import { Problem } from '../errors/problem.js';
import type { Query } from '../http/query.js';
import { cursorMeta, type ListMeta } from '../lists/newest-first.js';
import { isNumbered, offsetOf, readPage } from '../lists/page.js';
import { mediaQuery } from './media-search.js';
import { MAX_SEARCH, MIME_TYPE_FILTER } from './media.parameters.js';
import { COLUMNS, type MediaRow } from './media.sql.js';

/** Lists a tenant's files, newest first. */
@Injectable()
export class MediaListsService {
  constructor(private readonly database: Database) {}

  /** 400 for a parameter that can't be read. */
  async list({ tenantId }: Caller, query: Query): Promise<{ rows: MediaRow[]; meta: ListMeta }> {
    const list = new ListStatement(readMimeType(query), readSearch(tenantId, query));
    const page = readPage(query, list.name);
    if (isNumbered(page)) {
      const [rows, [total]] = await Promise.all([
        this.run<MediaRow>(tenantId, list.page(page.perPage, offsetOf(page))),
        this.run<{ files: number }>(tenantId, list.total()),
      ]);
      return { rows, meta: { page: page.page, per_page: page.perPage, total: total?.files ?? 0 } };
    }
    const found = await this.run<MediaRow>(tenantId, list.walk(page.perPage + 1, page.after?.[0] ?? undefined));
    const rows = found.slice(0, page.perPage);
    const last = found.length > rows.length ? rows.at(-1) : undefined;
    return { rows, meta: cursorMeta(page.perPage, list.name, last && [last.id]) };
  }

  private run<Row>(tenantId: string, { text, values }: Bound): Promise<Row[]> {
    return this.database.query<Row>(tenantId, text, values);
  }
}

interface Bound {
  text: string;
  values: Value[];
}

/** Writes the statements of one list; every value is bound. */
class ListStatement {
  /** What a cursor of this list is good for. */
  readonly name: string;

  constructor(
    private readonly mimeType: string | undefined,
    private readonly search: string | undefined,
  ) {
    this.name = JSON.stringify(['media', mimeType, search]);
  }

  page(limit: number, offset: number): Bound {
    const { where, values } = this.conditions();
    values.push(limit, offset);
    const place = values.length;
    return {
      text: `SELECT ${COLUMNS} FROM media WHERE ${where} ORDER BY id DESC LIMIT $${place} OFFSET $${place + 1}`,
      values,
    };
  }

  walk(limit: number, after: string | undefined): Bound {
    const { where, values } = this.conditions();
    values.push(limit);
    const last = `LIMIT $${values.length + 1}`;
    if (after === undefined)
      return { text: `SELECT ${COLUMNS} FROM media WHERE ${where} ORDER BY id DESC ${last}`, values };
    values.push(after);
    const beyond = `id < $${values.length + 1}::uuid`;
    return { text: `SELECT ${COLUMNS} FROM media WHERE ${where} AND ${beyond} ORDER BY id DESC ${last}`, values };
  }

  /** The counters know it, unless words are looked for. */
  total(): Bound {
    const { where, values } = this.conditions();
    if (this.search !== undefined) return { text: `SELECT count(*) AS files FROM media WHERE ${where}`, values };
    return { text: `SELECT coalesce(sum(files), 0)::bigint AS files FROM media_counts WHERE ${where}`, values };
  }

  private conditions(): { where: string; values: Value[] } {
    const where = ['tenant_id = $1'];
    const values: Value[] = [];
    const bind = (value: Value) => `$${values.push(value) + 1}`;
    if (this.mimeType?.endsWith('/*')) where.push(`starts_with(mime_type, ${bind(this.mimeType.slice(0, -1))})`);
    else if (this.mimeType !== undefined) where.push(`mime_type = ${bind(this.mimeType)}`);
    if (this.search !== undefined) where.push(`search @@ ${bind(this.search)}::tsquery`);
    return { where: where.join(' AND '), values };
  }
}

function readMimeType(query: Query): string | undefined {
  const value = query[MIME_TYPE_FILTER] as string | undefined;
  if (value === undefined) return undefined;
  const mimeType = value.toLowerCase();
  if (!/^[a-z]+\/(?:\*|[a-z0-9][a-z0-9.+-]*)$/.test(mimeType)) {
    throw Problem.parameter(MIME_TYPE_FILTER, `${MIME_TYPE_FILTER} must be a media type such as image/png or image/*.`);
  }
  return mimeType;
}

function readSearch(tenantId: string, { search }: Query): string | undefined {
  if (search === undefined) return undefined;
  if (search.length > MAX_SEARCH) throw Problem.parameter('search', `search takes at most ${MAX_SEARCH} characters.`);
  return mediaQuery(tenantId, search as string);
}
