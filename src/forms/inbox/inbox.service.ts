import { Injectable } from '@nestjs/common';
import { auditOf } from '../../audit/record-changes.js';
import { Database } from '../../database/database.js';
import { Problem } from '../../errors/problem.js';
import type { Caller } from '../../http/caller.js';
import { submissionResource } from '../submissions/submission-deletions.js';
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

  /** Returns the JSON of the changed submission. Throws a 404. */
  async update(
    caller: Caller,
    formId: string,
    submissionId: string,
    { state, note }: UpdateSubmissionDto,
  ): Promise<string> {
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
