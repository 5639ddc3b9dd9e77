import { Injectable } from '@nestjs/common';
import type { Caller } from '../http/caller.js';
import { Database } from '../database/database.js';
import { type LargeRecords, largeRecords, type LargeRow } from '../lists/large-json.js';
import {
  cursorPage,
  type CursorPage,
  foreignCursor,
  isNumbered,
  type ListMeta,
  type NumberedPage,
  offsetOf,
  type Page,
  type Place,
  placeOf,
} from '../lists/page.js';
import { FormSchemas } from './form-schemas.js';
import {
  COUNT_SECTION,
  type Cut,
  LARGE_SUBMISSIONS,
  type PageRow,
  placeLength,
  selectPage,
} from './submission-list.sql.js';
import type { SubmissionRow } from './submission-presenter.js';
import { type RequestedSort, resolveSort, type Section, type SubmissionSort } from './submission-sort.js';

interface Result {
  rows: (SubmissionRow | LargeRow)[];
  meta: ListMeta;
}

interface Found {
  total: number;
  rows: ((SubmissionRow | LargeRow) & { place: Place })[];
}

/** Lists submissions of a form. */
@Injectable()
export class SubmissionListService {
  constructor(
    private readonly database: Database,
    private readonly forms: FormSchemas,
  ) {}

  /** Throws a 404 if the form is unknown, and a 400 if `sort` names an unknown field or the cursor belongs to another list. */
  async list(
    { tenantId }: Caller,
    formId: string,
    sort: RequestedSort,
    page: Page,
  ): Promise<Result & { large: LargeRecords<SubmissionRow> }> {
    const { schema } = await this.forms.get(tenantId, formId);
    const list = new List(this.database, tenantId, formId, resolveSort(sort, schema));
    const result = await (isNumbered(page) ? list.numbered(page) : list.walk(page));
    return { ...result, large: largeRecords(this.database, tenantId, LARGE_SUBMISSIONS, { formId }) };
  }
}

/** One list in one order. */
class List {
  /** Identifies the list in its cursors. */
  private readonly name: string;

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
      // Not below zero: concurrent submissions may have made the section longer than `skip`.
      skip = found.rows.length > 0 ? 0 : Math.max(0, skip - (await this.count(section)));
    }
    return { rows, meta: { page: page.page, per_page: page.perPage, total } };
  }

  async walk(page: CursorPage): Promise<Result> {
    const after = placeOf(page, this.name);
    const [start = null, ...keys] = after ?? this.sort.sections.slice(0, 1);
    const sections = this.sort.sections.slice(this.sort.sections.indexOf(start));
    if (!this.sort.sections.includes(start) || (after && keys.length !== placeLength(start))) throw foreignCursor();
    const found: Found['rows'] = [];
    for (const section of sections) {
      const cut = { limit: page.perPage + 1 - found.length, after: after && section === start ? keys : undefined };
      if (cut.limit > 0) found.push(...(await this.read(section, cut)).rows);
    }
    return cursorPage(found, page.perPage, this.name, ({ place }) => place);
  }

  private async read(section: Section, cut: Cut): Promise<Found> {
    const statement = selectPage(this.formId, section, this.sort.descending, cut);
    const rows = await this.database.queryComposed<PageRow>(this.tenantId, statement);
    return {
      total: rows[0]?.total ?? 0,
      rows: rows.flatMap((row) =>
        row.id === null ? [] : { ...row, place: [section, ...(row.sortKey === null ? [] : [row.sortKey]), row.id] },
      ),
    };
  }

  private async count(section: Section): Promise<number> {
    const [row] = await this.database.query(this.tenantId, COUNT_SECTION, { formId: this.formId, section });
    return row?.count ?? 0;
  }
}
