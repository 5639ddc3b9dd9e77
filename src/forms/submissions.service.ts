import { Injectable } from '@nestjs/common';
import { publicKey } from '../admission/public-key.js';
import type { TenantConfig } from '../config/tenants-config.js';
import { heavyWork } from '../admission/heavy-work.js';
import { runNow } from '../admission/steps.js';
import { Database } from '../database/database.js';
import { Problem } from '../errors/problem.js';
import type { EventType } from '../rooms/room.js';
import { matchDeferredPatterns } from '../fields/pattern-runner.js';
import type { Checked } from '../http/dto.pipe.js';
import { newUuid, timeOf } from '../ids/type-id.js';
import { Tenants } from '../tenants/tenants.js';
import { FormSchemas } from './form-schemas.js';
import { indexRowsSteps } from './submission-index.js';
import { presentSubmission } from './submission-presenter.js';
import type { CreateSubmissionDto } from './submissions.dto.js';
import { CREATE_SUBMISSION } from './submissions.sql.js';

const EVENTS: readonly EventType[] = ['form.submitted'];

/** Accepts submissions from visitors. */
@Injectable()
export class SubmissionsService {
  constructor(
    private readonly database: Database,
    private readonly tenants: Tenants,
    private readonly forms: FormSchemas,
  ) {}

  /**
   * Returns the submission's JSON. `origin` is the origin of the page, if a browser sent it. Throws a 404 if the tenant or form is unknown,
   * a 403 if the tenant does not allow the origin, and a 422 that lists every wrong value.
   */
  async create(
    tenantId: string,
    idOrSlug: string,
    origin: string | undefined,
    body: Checked<CreateSubmissionDto>,
  ): Promise<string> {
    const tenant = this.tenants.find(tenantId);
    if (!tenant) throw Problem.notFound('form');
    const { id: formId, schema } = await this.forms.named(tenantId, idOrSlug);
    // Check this after the lookup, so that a known tenant without this form gives the same response as an unknown tenant.
    if (!allowsOrigin(tenant, origin)) {
      throw new Problem('forbidden', 'Pages of this origin are not allowed to submit forms of this tenant.');
    }
    const checking = schema.checkSubmissionSteps(body.dto.fields ?? {});
    const { values, errors, deferred } = body.isHeavy ? await heavyWork.run(body.turn, checking) : runNow(checking);
    if (deferred) await matchDeferredPatterns(body.turn, deferred);
    errors.unshift(...body.errors);
    if (errors.length > 0) throw Problem.invalid(errors);

    const id = newUuid();
    const row = { id, fields: JSON.stringify(values), createdAt: timeOf(id).toISOString() };
    const indexing = indexRowsSteps(schema, values);
    const rows = body.isHeavy ? await heavyWork.run(body.turn, indexing) : runNow(indexing);
    const submission = presentSubmission(formId, row);
    const parameters = {
      formId,
      submissionId: id,
      fields: row.fields,
      valueFields: rows.map(({ field }) => field),
      valueKeys: rows.map(({ key }) => key),
      eventIds: EVENTS.map(newUuid),
      eventTypes: EVENTS,
      eventData: submission,
      at: row.createdAt,
    };
    const written = await this.database.query(tenantId, CREATE_SUBMISSION, parameters, publicKey(tenantId));
    if (written.length === 0) throw Problem.notFound('form');
    return submission;
  }
}

/** Programs send no origin, and no list of origins could restrict them. */
function allowsOrigin({ allowedOrigins }: TenantConfig, origin: string | undefined): boolean {
  if (origin === undefined || allowedOrigins === undefined) return true;
  return allowedOrigins.includes('*') || allowedOrigins.includes(origin);
}
