import { Injectable } from '@nestjs/common';
import { InjectEntityManager } from '@nestjs/typeorm';
import { EntityManager } from 'typeorm';
import type { Caller } from '../access/caller.js';
import { Database } from '../database/database.js';
import { TenantRepository } from '../database/tenant-repository.js';
import { slugify } from '../ids/slug.js';
import { insertWithSlug } from '../ids/slugged.js';
import { newUuid, timeOf } from '../ids/type-id.js';
import { type ListMeta, newestFirst } from '../lists/newest-first.js';
import type { Page } from '../lists/page.js';
import { Form } from './form.entity.js';
import type { CreateFormDto } from './forms.dto.js';

interface Counted {
  form: Form;
  submissions: number;
}

const COUNT_SUBMISSIONS = {
  name: 'forms.count_submissions',
  text: `SELECT form_id, sum(submissions)::bigint AS submissions FROM submission_counts
    WHERE tenant_id = $1 AND form_id = ANY ($2::uuid[]) GROUP BY form_id`,
};

@Injectable()
export class FormsService {
  private readonly forms: TenantRepository<Form>;

  constructor(
    @InjectEntityManager() manager: EntityManager,
    private readonly database: Database,
  ) {
    this.forms = new TenantRepository(manager, Form);
  }

  async list({ tenantId }: Caller, page: Page): Promise<{ rows: Counted[]; meta: ListMeta }> {
    const { rows, meta } = await newestFirst(this.forms, tenantId, page, 'forms');
    const counts = await this.database.query<{ form_id: string; submissions: number }>(tenantId, COUNT_SUBMISSIONS, [
      rows.map(({ id }) => id),
    ]);
    const submissions = new Map(counts.map((count) => [count.form_id, count.submissions]));
    return { rows: rows.map((form) => ({ form, submissions: submissions.get(form.id) ?? 0 })), meta };
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
    return insertWithSlug(this.forms, form, { sent: slug !== undefined, constraint: 'forms_slug' });
  }
}
