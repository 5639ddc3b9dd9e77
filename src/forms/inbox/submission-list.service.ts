import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { statement } from '../../database/statement.js';
import type { Caller } from '../../http/caller.js';
import { KnownTotals } from '../../lists/known-totals.js';
import { type LargeRecords, largeRecords, type LargeStatements } from '../../lists/large-json.js';
import { isNumbered, type Page } from '../../lists/page.js';
import { searchMatch } from '../../search/search-match.js';
import { readSearch } from '../../search/search-query.js';
import { partitionOf } from '../../search/words.js';
import { type CompiledForm, FormSchemas } from '../form-schemas.js';
import { resolveFilters } from './submission-conditions.js';
import { type FullRow, fullColumns } from './submission-full.js';
import { SubmissionList, type ListResult } from './submission-list.js';
import type { Selection } from './submission-list-request.js';
import type { ListQuery } from './submission-list.sql.js';
import { resolveSort } from './submission-sort.js';
import { SubmissionWords } from './submission-words.js';

const BY_IDS = 'FROM submissions s WHERE s.tenant_id = :tenantId AND s.form_id = :formId AND s.id = ANY (:ids::uuid[])';

/** The large submissions of a list. */
const LARGE_SUBMISSIONS: LargeStatements<{ formId: string }, FullRow> = {
  sizes: statement<{ formId: string; ids: readonly string[] }, { id: string; bytes: number }>()(
    'submissions.sizes',
    `SELECT s.id, coalesce(s.size, octet_length(s.fields::text)) AS bytes ${BY_IDS}`,
  ),
  rows: statement<{ formId: string; ids: readonly string[] }, FullRow>()(
    'submissions.by_ids',
    `SELECT s.id, s.fields, s.created_at AS "createdAt", ${fullColumns('s', ':tenantId')} ${BY_IDS}`,
  ),
};

export type SubmissionPage = ListResult & { form: CompiledForm; large: LargeRecords<FullRow> };

/** Lists submissions of a form. */
@Injectable()
export class SubmissionListService {
  constructor(
    private readonly database: Database,
    private readonly forms: FormSchemas,
    private readonly words: SubmissionWords,
    private readonly totals: KnownTotals,
  ) {}

  /**
   * Throws a 404 if the form is unknown, a 400 if a name is unknown, a value cannot be read or the cursor belongs to another list, and a 503
   * while the submissions are being indexed.
   */
  async list(
    { tenantId }: Caller,
    formId: string,
    selection: Selection,
    page: Page,
    isFull: boolean,
  ): Promise<SubmissionPage> {
    const form = await this.forms.current(tenantId, formId);
    const query = queryOf(form, selection);
    // A walk continues with what was there when it began, and whatever has been indexed since.
    if (query.search && (isNumbered(page) || page.cursor === '')) await this.words.catchUp(tenantId, formId);
    const name = JSON.stringify(['submissions', formId, query.sort.field?.sortField, selection.identity]);
    const list = new SubmissionList(this.database.reads, tenantId, query, name, isFull, this.totals, form.version);
    const result = await (isNumbered(page) ? list.numbered(page) : list.walk(page));
    return { ...result, form, large: largeRecords(this.database.reads, tenantId, LARGE_SUBMISSIONS, { formId }) };
  }
}

/** Looks up the names in the form. Throws a 400. */
function queryOf(form: CompiledForm, { filters, period, verdict, state, search, sort }: Selection): ListQuery {
  const { values, ids } = resolveFilters(filters, form);
  const sought = search === undefined ? undefined : readSearch(search);
  return {
    formId: form.id,
    values,
    ids: period ? [...ids, { ranges: [period], negated: false }] : ids,
    verdicts: verdict === 'any' ? ['ok', 'spam'] : [verdict],
    state,
    search: sought && searchMatch(partitionOf(form.id), sought),
    sort: resolveSort(sort, form),
  };
}
