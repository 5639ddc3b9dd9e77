import { Injectable } from '@nestjs/common';
import type { Caller } from '../access/caller.js';
import { Database } from '../database/database.js';
import { Problem } from '../errors/problem.js';
import type { Query } from '../http/query.js';
import { type LargeRecords, largeRecords, type LargeRow } from '../lists/large-json.js';
import { cursorMeta, type ListMeta } from '../lists/newest-first.js';
import { type CursorPage, isNumbered, type NumberedPage, offsetOf, readPage } from '../lists/page.js';
import { FormSchemas } from './form-schemas.js';
import { COUNT_SECTION, type Cut, LARGE_SUBMISSIONS, placeLength, selectPage } from './submission-list.sql.js';
import type { SubmissionRow } from './submission-presenter.js';
import { readSort, type Section, type SubmissionSort } from './submission-sort.js';

interface Result {
  rows: (SubmissionRow | LargeRow)[];
  meta: ListMeta;
}

interface Found {
  total: number;
  rows: ((SubmissionRow | LargeRow) & { place: [section: Section, ...keys: string[]] })[];
}

/** Lists submissions of a form. */
@Injectable()
export class SubmissionListService {
  constructor(
    private readonly database: Database,
    private readonly forms: FormSchemas,
  ) {}

  /** 404 for an unknown form, 400 for a parameter that doesn't fit. */
  async list(
    { tenantId }: Caller,
    formId: string,
    query: Query,
  ): Promise<Result & { large: LargeRecords<SubmissionRow> }> {
    const { schema } = await this.forms.get(tenantId, formId);
    const sort = readSort(query, schema);
    const list = new List(this.database, tenantId, formId, sort);
    const page = readPage(query, list.name);
    const result = await (isNumbered(page) ? list.numbered(page) : list.walk(page));
    return { ...result, large: largeRecords(this.database, tenantId, LARGE_SUBMISSIONS, [formId]) };
  }
}

/** One list in one order. */
class List {
  /** What its cursors belong to. */
  readonly name: string;

  constructor(
    private readonly database: Database,
    private readonly tenantId: string,
    private readonly formId: string,
    private readonly sort: SubmissionSort,
  ) {
    this.name = JSON.stringify(['submissions', formId, sort]);
  }

  async numbered(page: NumberedPage): Promise<Result> {
    const rows: Result['rows'] = [];
    const offset = offsetOf(page);
    let skip = offset;
    let total = 0;
    for (const section of this.sort.sections) {
      const found = await this.read(section, { limit: page.perPage - rows.length, offset: skip });
      rows.push(...found.rows);
      ({ total } = found);
      if (rows.length === page.perPage || offset + rows.length >= total) break;
      // Others may submit in between: the section can have grown past what was skipped.
      skip = found.rows.length > 0 ? 0 : Math.max(0, skip - (await this.count(section)));
    }
    return { rows, meta: { page: page.page, per_page: page.perPage, total } };
  }

  /** One record more than asked for tells whether there is a next page. */
  async walk({ perPage, after }: CursorPage): Promise<Result> {
    const [start = null, ...keys] = after ?? this.sort.sections.slice(0, 1);
    const sections = this.sort.sections.slice(this.sort.sections.indexOf(start));
    if (!this.sort.sections.includes(start) || (after && keys.length !== placeLength(start))) throw foreignCursor();
    const found: Found['rows'] = [];
    for (const section of sections) {
      const cut = { limit: perPage + 1 - found.length, after: after && section === start ? keys : undefined };
      if (cut.limit > 0) found.push(...(await this.read(section, cut)).rows);
    }
    const rows = found.slice(0, perPage);
    const next = found.length > rows.length ? rows.at(-1)?.place : undefined;
    return { rows, meta: cursorMeta(perPage, this.name, next) };
  }

  private async read(section: Section, cut: Cut): Promise<Found> {
    type Row = (SubmissionRow | LargeRow) & { total: number; sort_key: string | null };
    const { text, values } = selectPage(this.formId, section, this.sort.descending, cut);
    const rows = await this.database.query<Row>(this.tenantId, text, values);
    return {
      total: rows[0]?.total ?? 0,
      rows: rows
        .filter(({ id }) => (id as string | null) !== null)
        .map((row) => ({ ...row, place: [section, ...(row.sort_key === null ? [] : [row.sort_key]), row.id] })),
    };
  }

  private async count(section: Section): Promise<number> {
    const [row] = await this.database.query<{ count: number }>(this.tenantId, COUNT_SECTION, [this.formId, section]);
    return row?.count ?? 0;
  }
}

function foreignCursor(): Problem {
  return Problem.parameter('cursor', 'cursor is not one that this list gave.');
}
