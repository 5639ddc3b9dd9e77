import { Injectable } from '@nestjs/common';
import type { Caller } from '../http/caller.js';
import { Database } from '../database/database.js';
import { statement } from '../database/statement.js';
import type { TenantRepository } from '../database/tenant-repository.js';
import { slugify } from '../ids/slug.js';
import { insertWithSlug } from '../ids/slugged.js';
import { newUuid, timeOf } from '../ids/type-id.js';
import { type LargeRecords, largeRecords, type LargeRow, largeStatements, unlessLarge } from '../lists/large-json.js';
import { newestFirst, newestFirstList } from '../lists/newest-first.js';
import type { ListMeta, Page } from '../lists/page.js';
import type { FormRow } from './form-presenter.js';
import { Form } from './form.entity.js';
import type { CreateFormDto } from './forms.dto.js';

interface Listed {
  rows: (FormRow | LargeRow)[];
  /** The number of submissions by form. Forms without submissions may be missing. */
  submissions: ReadonlyMap<string, number>;
  meta: ListMeta;
  large: LargeRecords<FormRow>;
}

const COLUMNS = 'id, name, slug, created_at AS "createdAt"';
const LIST = newestFirstList<FormRow | LargeRow>({
  name: 'forms',
  table: 'forms',
  columns: `${COLUMNS}, ${unlessLarge('fields')} AS fields`,
});
const LARGE_FORMS = largeStatements<FormRow>({ table: 'forms', columns: COLUMNS, json: 'fields' });

const COUNT_SUBMISSIONS = statement<{ formIds: readonly string[] }, { formId: string; submissions: number }>()(
  'forms.count_submissions',
  `SELECT form_id AS "formId", sum(submissions)::bigint AS submissions FROM submission_counts
    WHERE tenant_id = :tenantId AND form_id = ANY (:formIds::uuid[]) GROUP BY form_id`,
);

@Injectable()
export class FormsService {
  private readonly forms: TenantRepository<Form>;

  constructor(private readonly database: Database) {
    this.forms = database.repository(Form);
  }

  async list({ tenantId }: Caller, page: Page): Promise<Listed> {
    const { rows, meta } = await newestFirst(this.database, tenantId, page, LIST);
    const formIds = rows.map(({ id }) => id);
    const counts = await this.database.query(tenantId, COUNT_SUBMISSIONS, { formIds });
    const submissions = new Map(counts.map((count) => [count.formId, count.submissions]));
    return { rows, submissions, meta, large: largeRecords(this.database, tenantId, LARGE_FORMS, {}) };
  }

  /** Throws a 409 if the sent slug is taken. */
  async create({ tenantId }: Caller, { name, slug, fields, notify_email }: CreateFormDto): Promise<Form> {
    const id = newUuid();
    const form: Form = {
      tenantId,
      id,
      name,
      slug: slug ?? slugify(name, 'form'),
      fields,
      notifyEmail: notify_email ?? null,
      createdAt: timeOf(id),
    };
    return insertWithSlug(this.database, this.forms, form, { sent: slug !== undefined, table: 'forms' });
  }
}
