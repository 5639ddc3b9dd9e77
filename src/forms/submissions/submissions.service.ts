import { Injectable } from '@nestjs/common';
import type { KeyOwner } from '../../access/idempotency-rule.js';
import type { TenantConfig } from '../../config/tenants-config.js';
import { heavyWork } from '../../admission/heavy-work.js';
import { Database, type Transaction } from '../../database/database.js';
import { afterCommit } from '../../database/unit-of-work.js';
import { Problem } from '../../errors/problem.js';
import { Config } from '../../config/config.js';
import type { EventType } from '../../rooms/room.js';
import { matchDeferredPatterns } from '../../fields/patterns/pattern-runner.js';
import type { BodyOfValue, Checked } from '../../http/dto.pipe.js';
import { newUuid, timeOf } from '../../ids/type-id.js';
import { Limits } from '../../tenants/limits.js';
import { Tenants } from '../../tenants/tenants.js';
import { type CompiledForm, FormSchemas } from '../form-schemas.js';
import { chooseFiles } from '../files/chosen-files.js';
import type { StoredFile } from '../files/received-files.js';
import { SubmissionFiles } from '../files/submission-files.js';
import { takeOwnValues } from '../spam/own-values.js';
import { type Judgement, SpamChecks } from '../spam/spam-checks.js';
import type { SubmissionBody } from '../pages/submission-body.js';
import { Redirects } from '../redirects.js';
import { UnstoredSubmissions } from '../retention/unstored-submissions.js';
import { addressHashes, digestOf } from './submission-hashes.js';
import { indexRowsSteps } from './submission-index.js';
import { presentSubmission } from './submission-presenter.js';
import type { CreateSubmissionDto } from './submissions.dto.js';
import { SubmissionWrites, submissionOf, writeSubmission } from './submission-writes.js';
import type { NewSubmission, Written } from './submissions.sql.js';
import type { Visitor } from './visitor.js';

const EVENTS: readonly EventType[] = ['form.submitted'];

/** A submission that was checked. */
interface Accepted {
  values: Readonly<Record<string, string>>;
  digest: string;
  judgement: Judgement | undefined;
  files: readonly StoredFile[] | undefined;
}

/** Accepts submissions from visitors. */
@Injectable()
export class SubmissionsService implements KeyOwner {
  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly tenants: Tenants,
    private readonly forms: FormSchemas,
    private readonly spam: SpamChecks,
    private readonly redirects: Redirects,
    private readonly limits: Limits,
    private readonly writes: SubmissionWrites,
    private readonly files: SubmissionFiles,
    private readonly unstored: UnstoredSubmissions,
  ) {}

  /** The `Idempotency-Key` of a submission belongs to its form. */
  async ownerOfKeys(tenantId: string, { form_id: idOrSlug = '' }: Record<string, string>): Promise<string> {
    this.tenantOf(tenantId);
    return (await this.forms.named(tenantId, idOrSlug, 0)).id;
  }

  /**
   * Returns the submission's JSON, which does not tell whether it is spam. Throws a 404 if the tenant or form is unknown, a 403 if the tenant does not allow the origin or the form
   * is closed or the tenant's limit is reached, and a 422 that lists every wrong value.
   */
  async create(tenantId: string, idOrSlug: string, visitor: Visitor, body: SubmissionBody): Promise<string> {
    const submit = () => this.submit(this.tenantOf(tenantId), idOrSlug, visitor, body);
    return body.files ? body.files.during(submit) : submit();
  }

  private async submit(
    tenant: TenantConfig,
    idOrSlug: string,
    visitor: Visitor,
    body: SubmissionBody,
  ): Promise<string> {
    const tenantId = tenant.id;
    return this.forms.withCurrent(tenantId, idOrSlug, async (form) => {
      // Check this after the lookup, so that a known tenant without this form gives the same response as an unknown tenant.
      if (!allowsOrigin(tenant, visitor.origin) && !this.redirects.isOwn(visitor.origin)) {
        throw new Problem('forbidden', 'Pages of this origin are not allowed to submit forms of this tenant.');
      }
      if (form.settings.closed) throw new Problem('forbidden', 'This form is closed.');
      const sent = { ...body, ...body.valuesFor?.(tenantId, form) };
      const chosen = chooseFiles(form.schema, sent.dto.fields, body.received ?? [], this.config.mediaMaxBytes);
      const { fields, own } = takeOwnValues(chosen.fields, form);
      const errors = [...sent.errors, ...chosen.errors];
      const values = await this.check(form, fields, { ...sent, errors });
      const judgement = await this.spam.judge({ tenantId, form, own, values }, body);
      const digest = digestOf(form.id, values, chosen.hashes);
      const files = chosen.files.length > 0 ? await body.files?.store(chosen.files) : undefined;
      const submission = await this.write(tenantId, form, visitor, { values, digest, judgement, files }, body);
      if (submission !== undefined && body.files) await afterCommit(() => body.files?.commit());
      return submission;
    });
  }

  /** Returns the values of the submission. Throws a 422 that lists every wrong value. */
  private async check(
    { schema }: CompiledForm,
    fields: unknown,
    body: Checked<CreateSubmissionDto>,
  ): Promise<Readonly<Record<string, string>>> {
    const checking = schema.checkSubmissionSteps(fields ?? {});
    const { values, errors, deferred } = await heavyWork.runIf(body.isHeavy, body.turn, checking);
    if (deferred) await matchDeferredPatterns(body.turn, deferred);
    errors.unshift(...body.errors);
    if (errors.length > 0) throw Problem.invalid(errors);
    return values;
  }

  /** Returns the submission's JSON; undefined if the form has changed since it was read. */
  private async write(
    tenantId: string,
    { id: formId, version, schema, settings }: CompiledForm,
    { page, locale }: Visitor,
    { values, digest, judgement, files = [] }: Accepted,
    { isHeavy, turn }: Pick<BodyOfValue, 'isHeavy' | 'turn'>,
  ): Promise<string | undefined> {
    const id = newUuid();
    const row = { id, fields: JSON.stringify(values), createdAt: timeOf(id).toISOString() };
    const indexing = indexRowsSteps(schema, values);
    const rows = await heavyWork.runIf(isHeavy, turn, indexing);
    const submission = presentSubmission(formId, row);
    const parameters: NewSubmission = {
      formId,
      formVersion: version,
      submissionId: id,
      fields: row.fields,
      addresses: addressHashes(tenantId, schema, values),
      digest,
      origin: page,
      locale,
      valueFields: rows.map(({ field }) => field),
      valueKeys: rows.map(({ key }) => key),
      valueDiscriminators: rows.map(({ discriminator }) => discriminator),
      eventIds: EVENTS.map(newUuid),
      eventTypes: EVENTS,
      eventData: submission,
      at: row.createdAt,
    };
    const one = { submission: parameters, judgement };
    const isStored = settings.store !== false;
    if (files.length === 0 && isStored) {
      const written = await this.writes.write(tenantId, one, isHeavy);
      if (!written) return undefined;
      if (written.isStored) return submission;
    }
    const written = await this.inTransaction(tenantId, files, async (transaction) => {
      const write = () => writeSubmission(transaction, tenantId, one);
      let first = await write();
      if (first?.isStored === false) first = await write();
      if (!first) return undefined;
      if (files.length > 0) await this.files.add(transaction, tenantId, { formId, submissionId: id }, files);
      if (!isStored) await this.unstored.mark(transaction, tenantId, formId, id);
      return first;
    });
    return written && submission;
  }

  /** Returns what `write` returns. Nothing is locked if that is undefined. */
  private async inTransaction(
    tenantId: string,
    files: readonly StoredFile[],
    write: (transaction: Transaction) => Promise<Written | undefined>,
  ): Promise<Written | undefined> {
    const creations = [submissionOf(tenantId), ...this.files.creationsOf(tenantId, files)] as const;
    return this.database.attempt(tenantId, () => this.limits.within(creations, write));
  }

  private tenantOf(tenantId: string): TenantConfig {
    const tenant = this.tenants.find(tenantId);
    if (!tenant) throw Problem.notFound('form');
    return tenant;
  }
}

/** Programs send no origin, and no list of origins could restrict them. */
function allowsOrigin({ allowedOrigins }: TenantConfig, origin: string | undefined): boolean {
  if (origin === undefined || allowedOrigins === undefined) return true;
  return allowedOrigins.includes('*') || allowedOrigins.includes(origin);
}
