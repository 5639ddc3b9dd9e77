import { Injectable } from '@nestjs/common';
import { auditOf } from '../../audit/record-changes.js';
import { Database } from '../../database/database.js';
import { Problem } from '../../errors/problem.js';
import { comparable } from '../../access/may-read.js';
import type { Caller } from '../../http/caller.js';
import { changedReadOnlyOf } from '../../http/bodies/read-only.js';
import { submissionResource } from '../submissions/submission-write.js';
import type { UpdateSubmissionDto } from './inbox.dto.js';
import { GET_SUBMISSION, UPDATE_SUBMISSION } from './inbox.sql.js';
import { presentFull } from './submission-full.js';

/** Shows single submissions in the full view, and keeps what their readers note. */
@Injectable()
export class InboxService {
  constructor(private readonly database: Database) {}

  /** Returns the submission's JSON. Throws a 404. */
  async get({ tenantId }: Caller, formId: string, submissionId: string): Promise<string> {
    const [row] = await this.database.reads.query(tenantId, GET_SUBMISSION, { formId, submissionId });
    if (!row) throw Problem.notFound('submission');
    return presentFull(formId, row);
  }

  /** Returns the JSON of the changed submission. Throws a 404, and a 422 for read-only properties that differ. */
  async update(caller: Caller, formId: string, submissionId: string, dto: UpdateSubmissionDto): Promise<string> {
    const { state, note } = dto;
    const readOnly = await changedReadOnlyOf(dto, async () => {
      const full = await this.get(caller, formId, submissionId);
      return comparable(caller, { area: 'forms' }, () => JSON.parse(full) as object);
    });
    if (readOnly.length > 0) throw Problem.invalid(readOnly);
    const changes = [...(state === undefined ? [] : ['state']), ...(note === undefined ? [] : ['note'])];
    const [row] = await this.database.query(caller.tenantId, UPDATE_SUBMISSION, {
      formId,
      submissionId,
      state: state ?? null,
      changesNote: note !== undefined,
      note: note ?? null,
      audit: auditOf(caller, { action: 'updated', resource: submissionResource(submissionId), changes }),
    });
    if (!row) throw Problem.notFound('submission');
    return presentFull(formId, row);
  }
}
