import { Injectable } from '@nestjs/common';
import type { Caller } from '../access/caller.js';
import { Database } from '../database/database.js';
import type { TenantRepository } from '../database/tenant-repository.js';
import type { Query } from '../http/query.js';
import { slugify } from '../ids/slug.js';
import { insertWithSlug } from '../ids/slugged.js';
import { newUuid, timeOf } from '../ids/type-id.js';
import { type LargeRecords, largeRecords, type LargeRow, unlessLarge } from '../lists/large-json.js';
import { type ListMeta, newestFirst } from '../lists/newest-first.js';
import { readPage } from '../lists/page.js';
import type { FormRow } from './form-presenter.js';
import { Form } from './form.entity.js';
import type { CreateFormDto } from './forms.dto.js';

interface Listed {
  rows: (FormRow | LargeRow)[];
  /** How many submissions each form has that has any. */
  submissions: ReadonlyMap<string, number>;
  meta: ListMeta;
  large: LargeRecords<FormRow>;
}

const LIST = {
  list: 'forms',
  table: 'forms',
  columns: `id, name, slug, created_at, ${unlessLarge('fields')} AS fields`,
};

const BY_IDS = 'FROM forms WHERE tenant_id = $1 AND id = ANY ($2::uuid[])';

const LARGE_FORMS = {
  sizes: { name: 'forms.sizes', text: `SELECT id, octet_length(fields::text) AS bytes ${BY_IDS}` },
  rows: { name: 'forms.by_ids', text: `SELECT id, name, slug, created_at, fields ${BY_IDS}` },
};

const COUNT_SUBMISSIONS = {
  name: 'forms.count_submissions',
  text: `SELECT form_id, sum(submissions)::bigint AS submissions FROM submission_counts
    WHERE tenant_id = $1 AND form_id = ANY ($2::uuid[]) GROUP BY form_id`,
};

@Injectable()
export class FormsService {
  private readonly forms: TenantRepository<Form>;

  constructor(private readonly database: Database) {
    this.forms = database.repository(Form);
  }

  async list({ tenantId }: Caller, query: Query): Promise<Listed> {
    const page = readPage(query, LIST.list);
    const { rows, meta } = await newestFirst<FormRow | LargeRow>(this.database, tenantId, page, LIST);
    const counts = await this.database.query<{ form_id: string; submissions: number }>(tenantId, COUNT_SUBMISSIONS, [
      rows.map(({ id }) => id),
    ]);
    const submissions = new Map(counts.map((count) => [count.form_id, count.submissions]));
    return { rows, submissions, meta, large: largeRecords(this.database, tenantId, LARGE_FORMS) };
  }

  /** 409 when the slug was sent and is taken. */
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
