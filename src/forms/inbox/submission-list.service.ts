import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { statement } from '../../database/statements/statement.js';
import type { Caller } from '../../http/caller.js';
import { type ListResult, readList } from '../../lists/engine/list-reader.js';
import { TotalCache } from '../../lists/total-cache.js';
import { type LargeRecords, largeRecords, type LargeRow, type LargeStatements } from '../../lists/large-json.js';
import { isNumbered, type Page } from '../../lists/page.js';
import { type CompiledForm, FormSchemas } from '../form-schemas.js';
import { type FullRow, fullColumns } from './submission-full.js';
import type { Selection } from './submission-list-request.js';
import { submissionQuery, submissionTable } from './submission-table.js';
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

/** The rows have the columns of the full view only if these were requested. */
export type SubmissionPage = ListResult<FullRow | LargeRow> & { form: CompiledForm; large: LargeRecords<FullRow> };

/** Lists submissions of a form. */
@Injectable()
export class SubmissionListService {
  constructor(
    private readonly database: Database,
    private readonly forms: FormSchemas,
    private readonly words: SubmissionWords,
    private readonly totals: TotalCache,
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
    const query = submissionQuery(form, selection);
    // A cursor continues with what was there when the list began, and whatever has been indexed since.
    if (query.search && (isNumbered(page) || page.cursor === '')) await this.words.catchUp(tenantId, formId);
    const [first] = query.sort;
    const sortedBy = first?.by === 'field' ? first.field.sortField : undefined;
    const name = JSON.stringify(['submissions', formId, sortedBy, selection.identity]);
    const { reads } = this.database;
    const table = submissionTable(form, selection.verdicts, isFull);
    const source = { reads, tenantId, totals: this.totals };
    const result = await readList<FullRow | LargeRow>(source, table, query, page, name);
    return { ...result, form, large: largeRecords(reads, tenantId, LARGE_SUBMISSIONS, { formId }) };
  }
}
