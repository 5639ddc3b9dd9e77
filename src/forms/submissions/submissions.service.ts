import { Injectable } from '@nestjs/common';
import type { KeyOwner } from '../../access/idempotency-rule.js';
import { publicKey } from '../../admission/public-key.js';
import type { TenantConfig } from '../../config/tenants-config.js';
import { heavyWork } from '../../admission/heavy-work.js';
import { runNow } from '../../admission/steps.js';
import { Database, type Executor, type Transaction } from '../../database/database.js';
import { Problem } from '../../errors/problem.js';
import type { EventType } from '../../rooms/room.js';
import { matchDeferredPatterns } from '../../fields/pattern-runner.js';
import type { BodyOfValue, Checked } from '../../http/dto.pipe.js';
import { newUuid, timeOf } from '../../ids/type-id.js';
import { Tenants } from '../../tenants/tenants.js';
import { type CompiledForm, FormSchemas } from '../form-schemas.js';
import { CREATE_CHECKED_SUBMISSION, LOCK_DIGEST } from '../spam/checked-submission.sql.js';
import { takeOwnValues } from '../spam/own-values.js';
import { type Judgement, SpamChecks } from '../spam/spam-checks.js';
import type { SubmissionBody } from '../pages/submission-body.js';
import { Redirects } from '../redirects.js';
import { UnstoredSubmissions } from '../retention/unstored-submissions.js';
import { addressHashes, digestOf } from './submission-hashes.js';
import { indexRowsSteps } from './submission-index.js';
import { presentSubmission } from './submission-presenter.js';
import type { CreateSubmissionDto } from './submissions.dto.js';
import { CREATE_SUBMISSION, type NewSubmission } from './submissions.sql.js';
import type { Visitor } from './visitor.js';

const EVENTS: readonly EventType[] = ['form.submitted'];

/** Accepts submissions from visitors. */
@Injectable()
export class SubmissionsService implements KeyOwner {
  constructor(
    private readonly database: Database,
    private readonly tenants: Tenants,
    private readonly forms: FormSchemas,
    private readonly spam: SpamChecks,
    private readonly redirects: Redirects,
    private readonly unstored: UnstoredSubmissions,
  ) {}

  /** The `Idempotency-Key` of a submission belongs to its form. */
  async ownerOfKeys(tenantId: string, { form_id: idOrSlug = '' }: Record<string, string>): Promise<string> {
    this.tenantOf(tenantId);
    return (await this.forms.named(tenantId, idOrSlug, 0)).id;
  }

  /**
   * Returns the submission's JSON, which does not tell whether it is spam. Throws a 404 if the tenant or form is unknown, a 403 if the tenant does not allow the origin or the form
   * is closed, and a 422 that lists every wrong value.
   */
  async create(tenantId: string, idOrSlug: string, visitor: Visitor, body: SubmissionBody): Promise<string> {
    const tenant = this.tenantOf(tenantId);
    return this.forms.withCurrent(tenantId, idOrSlug, async (form) => {
      // Check this after the lookup, so that a known tenant without this form gives the same response as an unknown tenant.
      if (!allowsOrigin(tenant, visitor.origin) && !this.redirects.isOwn(visitor.origin)) {
        throw new Problem('forbidden', 'Pages of this origin are not allowed to submit forms of this tenant.');
      }
      if (form.settings.closed) throw new Problem('forbidden', 'This form is closed.');
      const sent = { ...body, ...body.valuesFor?.(tenantId, form) };
      const { fields, own } = takeOwnValues(sent.dto.fields, form);
      const values = await this.check(form, fields, sent);
      const judgement = await this.spam.judge({ tenantId, form, own, values, door: body.form ? 'form' : 'json' }, body);
      return this.write(tenantId, form, visitor, { values, judgement }, body);
    });
  }

  /** Returns the values of the submission. Throws a 422 that lists every wrong value. */
  private async check(
    { schema }: CompiledForm,
    fields: unknown,
    body: Checked<CreateSubmissionDto>,
  ): Promise<Readonly<Record<string, string>>> {
    const checking = schema.checkSubmissionSteps(fields ?? {});
    const { values, errors, deferred } = body.isHeavy ? await heavyWork.run(body.turn, checking) : runNow(checking);
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
    { values, judgement }: { values: Readonly<Record<string, string>>; judgement: Judgement | undefined },
    { isHeavy, turn }: Pick<BodyOfValue, 'isHeavy' | 'turn'>,
  ): Promise<string | undefined> {
    const id = newUuid();
    const row = { id, fields: JSON.stringify(values), createdAt: timeOf(id).toISOString() };
    const indexing = indexRowsSteps(schema, values);
    const rows = isHeavy ? await heavyWork.run(turn, indexing) : runNow(indexing);
    const submission = presentSubmission(formId, row);
    const parameters: NewSubmission = {
      formId,
      formVersion: version,
      submissionId: id,
      fields: row.fields,
      addresses: addressHashes(tenantId, schema, values),
      digest: digestOf(formId, values),
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
    const isWritten = await this.insert(tenantId, parameters, { judgement, isStored: settings.store !== false });
    return isWritten ? submission : undefined;
  }

  /** Returns false if the form has changed since it was read. */
  private async insert(
    tenantId: string,
    submission: NewSubmission,
    { judgement, isStored }: { judgement: Judgement | undefined; isStored: boolean },
  ): Promise<boolean> {
    const share = publicKey(tenantId);
    const insert = async (executor: Executor) => {
      const written = judgement
        ? await executor.query(tenantId, CREATE_CHECKED_SUBMISSION, { ...submission, ...parametersOf(judgement) })
        : await executor.query(tenantId, CREATE_SUBMISSION, submission);
      return written.length > 0;
    };
    const needsLock = judgement !== undefined && judgement.duplicatesSince !== null;
    if (isStored && !needsLock) {
      return insert({ query: (id, statement, parameters) => this.database.query(id, statement, parameters, share) });
    }
    const { formId, submissionId, digest } = submission;
    const write = async (transaction: Transaction) => {
      if (needsLock) await transaction.query(tenantId, LOCK_DIGEST, { formId, digest });
      if (!(await insert(transaction))) return undefined;
      if (!isStored) await this.unstored.mark(transaction, tenantId, formId, submissionId);
      return true;
    };
    const attempt = () => this.database.transaction(tenantId, write, share);
    return (await this.database.attempt(tenantId, attempt)) ?? false;
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

function parametersOf({ reasons, duplicatesSince, asksForProof, proof }: Judgement) {
  const { id: proofId = null, expiresAt: proofExpiresAt = null } = proof ?? {};
  return { reasons, duplicatesSince, asksForProof, proofId, proofExpiresAt };
}
