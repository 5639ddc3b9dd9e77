import { Injectable } from '@nestjs/common';
import { comparable } from '../access/may-read.js';
import { changedNames } from '../audit/changed-names.js';
import { recordChanges } from '../audit/record-changes.js';
import type { Author, Caller } from '../http/caller.js';
import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import type { Executor, Transaction } from '../database/transaction.js';
import { afterCommit } from '../database/unit-of-work.js';
import { statement } from '../database/statements/statement.js';
import type { TenantRepository } from '../database/tenant-repository.js';
import { violatedConstraint } from '../errors/database-problem.js';
import { Problem, type ValueError } from '../errors/problem.js';
import { EventRecorder } from '../events/event-recorder.js';
import { withAbsentTypes } from '../fields/definitions/absent-definitions.js';
import { checkFileLimits } from '../fields/constraints/max-bytes.js';
import type { FieldDefinition } from '../fields/field-definition.js';
import type { CheckedBody } from '../http/bodies/dto.pipe.js';
import { changedReadOnlyOf } from '../http/bodies/read-only.js';
import { assertPermitted, type Precondition } from '../http/responses/etag.js';
import type { IdOrSlug } from '../ids/id-or-slug.js';
import { missingSlug, slugsOf } from '../ids/missing-slug.js';
import { slugify } from '../ids/slug.js';
import { insertWithSlug, slugTaken } from '../ids/slugged.js';
import { formatId, newUuid, timeOf } from '../ids/type-id.js';
import { type LargeRecords, largeRecords, type LargeRow, largeStatements } from '../lists/large-json.js';
import { newestFirst, newestFirstList } from '../lists/newest-first.js';
import type { ListMeta, Page } from '../lists/page.js';
import { changedFields } from './field-changes.js';
import { FormDeletions } from './form-deletions.js';
import { type FormRow, presentForm } from './form-presenter.js';
import { FormSchemas } from './form-schemas.js';
import { Form } from './form.entity.js';
import type { CreateFormDto, UpdateFormDto } from './forms.dto.js';
import { SubmissionRetention } from './retention/submission-retention.js';
import { Redirects } from './redirects.js';
import { mergeSettings } from './settings/form-settings.js';
import { checkSettings, type MayRedirect } from './settings/settings-check.js';
import { SubmissionReindexing } from './submissions/submission-reindexing.js';

interface Listed {
  rows: (FormRow | LargeRow)[];
  /** The number of submissions by form. Forms without submissions may be missing. */
  submissions: ReadonlyMap<string, number>;
  meta: ListMeta;
  large: LargeRecords<FormRow>;
}

/** A change of a form. The form is as the change leaves it; for a deletion, its last state. */
interface FormChange {
  action: 'created' | 'updated' | 'deleted';
  form: Form;
  at?: Date;
  /** The names of the properties that an update changes. */
  changes?: readonly string[];
}

const COLUMNS = 'id, name, slug, created_at AS "createdAt"';
const LIST = newestFirstList({
  name: 'forms',
  table: 'forms',
  columns: { name: 'name', slug: 'slug', createdAt: 'created_at' },
  json: 'fields',
});
const LARGE_FORMS = largeStatements<FormRow>({ table: 'forms', columns: COLUMNS, json: 'fields' });

const SLUGS = slugsOf('forms', 'form');

const COUNT_SUBMISSIONS = statement<{ formIds: readonly string[] }, { formId: string; submissions: number }>()(
  'forms.count_submissions',
  `SELECT form_id AS "formId", sum(submissions)::bigint AS submissions FROM submission_counts
    WHERE tenant_id = :tenantId AND form_id = ANY (:formIds::uuid[]) GROUP BY form_id`,
);

@Injectable()
export class FormsService {
  private readonly forms: TenantRepository<Form>;

  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly events: EventRecorder,
    private readonly redirects: Redirects,
    private readonly reindexing: SubmissionReindexing,
    private readonly deletions: FormDeletions,
    private readonly retention: SubmissionRetention,
    private readonly schemas: FormSchemas,
  ) {
    this.forms = database.repository(Form);
  }

  async list({ tenantId }: Caller, page: Page): Promise<Listed> {
    const { rows, meta } = await newestFirst<FormRow | LargeRow>(this.database, tenantId, page, LIST);
    const formIds = rows.map(({ id }) => id);
    const counts = await this.database.query(tenantId, COUNT_SUBMISSIONS, { formIds });
    const submissions = new Map(counts.map((count) => [count.formId, count.submissions]));
    return { rows, submissions, meta, large: largeRecords(this.database, tenantId, LARGE_FORMS, {}) };
  }

  async get({ tenantId }: Caller, name: IdOrSlug): Promise<Form> {
    const form = await this.forms.findOne(tenantId, whereOf(name));
    if (!form) throw await missingSlug(this.database, tenantId, SLUGS, name);
    return form;
  }

  /** All forms, in the order of their slugs. */
  async all({ tenantId }: Caller): Promise<Form[]> {
    return this.forms.find(tenantId, {}, { order: { slug: 'ASC' } });
  }

  /** Throws a 422 if the body is invalid, and a 409 if the sent slug is taken. */
  async create(caller: Caller, body: CheckedBody<CreateFormDto>): Promise<Form> {
    const { tenantId } = caller;
    const insert = (candidate: Form) =>
      this.database.transaction(tenantId, async (transaction) => {
        await transaction.repository(Form).insert(candidate);
        await this.retention.follow(transaction, undefined, candidate);
        await this.record(transaction, caller, { action: 'created', form: candidate, at: candidate.createdAt });
      });
    const sent = body.dto.slug !== undefined;
    return insertWithSlug(this.database, { insert }, this.newForm(caller, body), { sent, table: 'forms' });
  }

  /** What a creation would insert. Throws a 422 if the body is invalid. */
  newForm({ tenantId }: Caller, { dto, errors }: CheckedBody<CreateFormDto>): Form {
    const id = newUuid();
    const settings = mergeSettings(null, dto.settings ?? {});
    const { name, slug, fields, notify_email: notifyEmail = null } = dto;
    this.assertFitting(tenantId, { settings, fields, sent: fields }, errors);
    return {
      tenantId,
      id,
      name,
      slug: slug ?? slugify(name, 'form'),
      fields,
      notifyEmail,
      settings,
      version: 1,
      indexNames: null,
      former: null,
      reindexing: null,
      createdAt: timeOf(id),
    };
  }

  /**
   * Changes only the properties that were sent. Throws a 404, a 412 if the precondition fails, a 422 if the body is invalid or the settings
   * do not fit the fields, and a 409 if the slug is taken.
   */
  async update(
    caller: Caller,
    name: IdOrSlug,
    { dto, errors }: CheckedBody<UpdateFormDto>,
    precondition: Precondition,
  ): Promise<Form> {
    const { tenantId } = caller;
    const change = (transaction: Transaction) => this.change(transaction, caller, { name, dto, errors, precondition });
    try {
      const { before, after } = await this.database.transaction(tenantId, change);
      await afterCommit(() => this.schemas.forget(tenantId, [before, after]));
      return after;
    } catch (error) {
      if (violatedConstraint(error) !== 'forms_slug' || dto.slug === undefined) throw error;
      throw slugTaken(dto.slug);
    }
  }

  /**
   * Deletes the form at once, and its submissions soon afterwards. Throws a 404, a 412 if the precondition fails, and a 409 if the form has
   * submissions and `keepsValues`.
   */
  async delete(
    caller: Caller,
    name: IdOrSlug,
    precondition: Precondition,
    { keepsValues = false }: { keepsValues?: boolean } = {},
  ): Promise<void> {
    const { tenantId } = caller;
    const deleted = await this.database.transaction(tenantId, async (transaction) => {
      const form = await this.lock(transaction, tenantId, name, precondition);
      if (keepsValues && (await this.submissionsOf(transaction, form)) > 0)
        throw new Problem('conflict', `The form ${form.slug} has submissions.`);
      await transaction.repository(Form).delete(tenantId, { id: form.id });
      await this.deletions.begin(transaction, tenantId, form.id);
      await this.record(transaction, caller, { action: 'deleted', form });
      return form;
    });
    await afterCommit(() => this.schemas.forget(tenantId, [deleted]));
  }

  /** Throws what `update` would throw for an invalid body. Changes nothing. */
  checkUpdate({ tenantId }: Caller, before: Form, { dto, errors }: CheckedBody<UpdateFormDto>): void {
    const settings = mergeSettings(before.settings, dto.settings ?? {});
    const found = withAbsentTypes(errors, dto.fields, before.fields, 'form');
    this.assertFitting(tenantId, { settings, fields: dto.fields ?? before.fields, sent: dto.fields ?? [] }, found);
  }

  /** How many submissions the form has. */
  submissionCount(form: Form): Promise<number> {
    return this.submissionsOf(this.database, form);
  }

  private async change(
    transaction: Transaction,
    caller: Caller,
    sent: { name: IdOrSlug; dto: UpdateFormDto; errors: readonly ValueError[]; precondition: Precondition },
  ): Promise<{ before: Form; after: Form }> {
    const { tenantId } = caller;
    const { dto } = sent;
    const before = await this.lock(transaction, tenantId, sent.name, sent.precondition);
    const { name = before.name, slug = before.slug, fields = before.fields, notify_email: email } = dto;
    const settings = mergeSettings(before.settings, dto.settings ?? {});
    const readOnly = await changedReadOnlyOf(dto, async () => {
      const submissions = await this.submissionsOf(transaction, before);
      return comparable(caller, { area: 'forms' }, () => ({ ...presentForm(before), submission_count: submissions }));
    });
    const errors = withAbsentTypes(sent.errors, dto.fields, before.fields, 'form');
    this.assertFitting(tenantId, { settings, fields, sent: dto.fields ?? [] }, [...errors, ...readOnly]);
    const version = before.version + 1;
    const after: Form = {
      ...before,
      ...{ name, slug, settings, version },
      notifyEmail: email === undefined ? before.notifyEmail : email,
      ...(dto.fields && changedFields(before, dto.fields, version)),
    };
    await transaction.repository(Form).update(tenantId, { id: before.id }, after);
    await this.retention.follow(transaction, before, after);
    if (after.reindexing !== before.reindexing) await this.reindexing.begin(transaction, after);
    const changes = changedNames(changeable(before), changeable(after));
    await this.record(transaction, caller, { action: 'updated', form: after, changes });
    return { before, after };
  }

  private async submissionsOf(executor: Executor, { tenantId, id }: Form): Promise<number> {
    const [count] = await executor.query(tenantId, COUNT_SUBMISSIONS, { formIds: [id] });
    return count?.submissions ?? 0;
  }

  private async lock(
    transaction: Transaction,
    tenantId: string,
    name: IdOrSlug,
    precondition: Precondition,
  ): Promise<Form> {
    const form = await transaction.repository(Form).findOne(tenantId, whereOf(name), 'pessimistic_write');
    if (!form) throw await missingSlug(transaction, tenantId, SLUGS, name);
    assertPermitted(precondition, form.version, 'form');
    return form;
  }

  /** Throws a 422 with the errors of the body, or else those of settings that do not fit the fields, and of limits that the service does not allow. */
  private assertFitting(
    tenantId: string,
    { settings, fields, sent }: Pick<Form, 'settings' | 'fields'> & { sent: readonly FieldDefinition[] },
    errors: readonly ValueError[],
  ): void {
    if (errors.length > 0) throw Problem.invalid([...errors]);
    const mayLeadTo: MayRedirect = (own, origin) => this.redirects.mayLeadTo(tenantId, own, origin);
    const unfit = [
      ...checkFileLimits(sent, this.config.mediaMaxBytes),
      ...(settings ? checkSettings(settings, fields, mayLeadTo) : []),
    ];
    if (unfit.length > 0) throw Problem.invalid(unfit);
  }

  /** Records the event, and the change in the audit log. */
  private async record(
    transaction: Transaction,
    by: Author,
    { action, form, at = new Date(), changes }: FormChange,
  ): Promise<void> {
    const { tenantId, id } = form;
    const data = JSON.stringify(presentForm(form));
    await this.events.record(transaction, tenantId, [{ type: `form.${action}`, data, at, version: form.version }]);
    const resource = { type: 'form', id: formatId('frm', id) };
    await recordChanges(transaction, tenantId, by, [{ action, resource, changes }]);
  }
}

/** The properties that an update changes, by their names in its body. */
function changeable({ name, slug, fields, notifyEmail, settings }: Form): object {
  return { name, slug, fields, notify_email: notifyEmail, settings };
}

function whereOf({ id, slug }: IdOrSlug): { id: string } | { slug: string } {
  return id === undefined ? { slug } : { id };
}
