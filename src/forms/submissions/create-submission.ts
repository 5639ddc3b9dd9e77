import { Injectable } from '@nestjs/common';
import type { KeyOwner } from '../../access/idempotency/idempotency-rule.js';
import { heavyWork } from '../../admission/heavy-work.js';
import { Config } from '../../config/config.js';
import type { TenantConfig } from '../../config/tenants-config.js';
import { afterCommit } from '../../database/unit-of-work.js';
import { Problem } from '../../errors/problem.js';
import { matchDeferredPatterns } from '../../fields/patterns/pattern-runner.js';
import { Tenants } from '../../tenants/tenants.js';
import { chooseFiles } from '../files/chosen-files.js';
import { changesTooOften, type CompiledForm, type FormName, FormSchemas } from '../form-schemas.js';
import { submittedValues } from '../pages/submitted-values.js';
import { Redirects } from '../redirects.js';
import { SpamChecks, takeOwnValues } from '../spam/spam-checks.js';
import type { SubmissionBody } from './submission-body.js';
import { submissionOf } from './submission-write.js';
import { SubmissionWriter } from './submission-writer.js';

/** Accepts submissions from visitors. */
@Injectable()
export class CreateSubmission implements KeyOwner {
  constructor(
    private readonly config: Config,
    private readonly tenants: Tenants,
    private readonly forms: FormSchemas,
    private readonly redirects: Redirects,
    private readonly spam: SpamChecks,
    private readonly writer: SubmissionWriter,
  ) {}

  /**
   * Returns the submission's JSON, which does not tell whether it is spam. Throws a 404 if the tenant or form is unknown, a 403 if the tenant does
   * not allow the origin or the form is closed or the tenant's limit is reached, and a 422 that lists every wrong value.
   */
  run(name: FormName, body: SubmissionBody): Promise<string> {
    const created = this.create(name, body);
    return body.files?.keepDuring(created) ?? created;
  }

  private async create({ tenantId, idOrSlug }: FormName, body: SubmissionBody): Promise<string> {
    const { isHeavy, queueKey, visitor } = body;
    const tenant = this.tenantOf(tenantId);
    for await (const form of this.forms.attempts({ tenantId, idOrSlug })) {
      try {
        this.assertOpen(tenant, form, visitor.origin);
        const { values, own, hashes, files: chosen } = await this.check(tenantId, form, body);
        const judgement = await this.spam.judge({ tenantId, form, own, values }, body);
        const files = chosen.length > 0 ? await body.files?.store(chosen) : undefined;
        const steps = submissionOf(tenantId, form, { visitor, values, hashes, judgement });
        const write = await heavyWork.runIf(isHeavy, queueKey, steps);
        if (!(await this.writer.write(tenantId, write, { isHeavy, files: files ?? [] }))) continue;
        if (body.files) await afterCommit(() => body.files?.commit());
        return write.submission.eventData;
      } catch (error) {
        await this.forms.throwIfCurrent({ tenantId, idOrSlug }, form, error);
      }
    }
    throw changesTooOften();
  }

  /** Throws a 403. Needs the form, so that a known tenant without this form gives the same response as an unknown tenant. */
  private assertOpen(tenant: TenantConfig, { settings }: CompiledForm, origin: string | undefined): void {
    if (!allowsOrigin(tenant, origin) && !this.redirects.isOwn(origin)) {
      throw new Problem('forbidden', 'Pages of this origin are not allowed to submit forms of this tenant.');
    }
    if (settings.closed) throw new Problem('forbidden', 'This form is closed.');
  }

  /** Returns the values of the submission, what it contains beside them, and its files. Throws a 422 that lists every wrong value. */
  private async check(tenantId: string, form: CompiledForm, body: SubmissionBody) {
    const { schema, settings } = form;
    const sent = body.form
      ? submittedValues(body.form, schema, this.redirects.faultsOf(tenantId, settings, body.form))
      : { fields: body.dto.fields, errors: body.errors };
    const chosen = chooseFiles(schema, sent.fields, body.received ?? [], this.config.mediaMaxBytes);
    const { fields, own } = takeOwnValues(chosen.fields, form);
    const checking = schema.checkSubmissionSliced(fields ?? {});
    const { values, errors, deferred } = await heavyWork.runIf(body.isHeavy, body.queueKey, checking);
    if (deferred) await matchDeferredPatterns(body.queueKey, deferred);
    const wrong = [...sent.errors, ...chosen.errors, ...errors];
    if (wrong.length > 0) throw Problem.invalid(wrong);
    return { values, own, hashes: chosen.hashes, files: chosen.files };
  }

  /** The `Idempotency-Key` of a submission belongs to its form. */
  async ownerOfKeys(tenantId: string, { form_id: idOrSlug = '' }: Record<string, string>): Promise<string> {
    this.tenantOf(tenantId);
    return (await this.forms.named(tenantId, idOrSlug, 0)).id;
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
