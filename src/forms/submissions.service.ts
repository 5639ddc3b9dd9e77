import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { Problem } from '../errors/problem.js';
import { EventRecorder } from '../events/event-recorder.js';
import type { EventType } from '../events/event-types.js';
import type { Checked } from '../http/checked-body.js';
import { newUuid, timeOf } from '../ids/type-id.js';
import { Tenants } from '../tenants/tenants.js';
import { FormSchemas } from './form-schemas.js';
import { indexRows } from './submission-index.js';
import { presentSubmission } from './submission-presenter.js';
import type { CreateSubmissionDto } from './submissions.dto.js';
import { CREATE_SUBMISSION } from './submissions.sql.js';

const EVENTS: readonly EventType[] = ['form.submitted'];

/** Takes what visitors submit. */
@Injectable()
export class SubmissionsService {
  constructor(
    private readonly database: Database,
    private readonly tenants: Tenants,
    private readonly forms: FormSchemas,
    private readonly events: EventRecorder,
  ) {}

  /** Returns the submission's JSON. 404 for an unknown tenant or form, 422 with every wrong value. */
  async create(tenantId: string, idOrSlug: string, body: Checked<CreateSubmissionDto>): Promise<string> {
    if (!this.tenants.find(tenantId)) throw Problem.notFound('form');
    const { id: formId, schema } = await this.forms.named(tenantId, idOrSlug);
    const { values, errors } = schema.checkSubmission(body.dto.fields ?? {});
    errors.unshift(...body.errors);
    if (errors.length > 0) throw Problem.invalid(errors);

    const id = newUuid();
    const row = { id, fields: JSON.stringify(values), created_at: timeOf(id).toISOString() };
    const rows = indexRows(schema, values);
    const submission = presentSubmission(formId, row);
    const written = await this.database.query(tenantId, CREATE_SUBMISSION, [
      ...[formId, id, row.fields, row.created_at],
      ...[rows.map(({ field }) => field), rows.map(({ key }) => key)],
      ...[EVENTS.map(newUuid), EVENTS, submission],
    ]);
    if (written.length === 0) throw Problem.notFound('form');
    this.events.committed(tenantId);
    return submission;
  }
}
