import { Injectable } from '@nestjs/common';
import { recordChanges } from '../../audit/record-changes.js';
import { heavyWork, isHeavy } from '../../admission/heavy-work.js';
import { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transaction.js';
import { Problem } from '../../errors/problem.js';
import { Subscribers } from '../../events/subscribers/subscriber.js';
import { Schema } from '../../fields/schema.js';
import type { Caller } from '../../http/caller.js';
import { newUuid } from '../../ids/type-id.js';
import type { EventType } from '../../modules/module-manifest.js';
import { Form } from '../form.entity.js';
import { type FullRow, presentFull } from '../inbox/submission-full.js';
import { KEEP_FILES, PUT_SPAM_FILES } from '../files/submission-files.sql.js';
import { UnstoredSubmissions } from '../retention/unstored-submissions.js';
import { eventsOf } from './submission-deletions.js';
import { rowsOfStored, sectionOfSpam } from './submission-index.js';
import { presentSubmission } from './submission-presenter.js';
import { submissionResource } from './submission-write.js';
import {
  DELETE_OTHER_VALUES,
  LOCK_SUBMISSION,
  MARK_SPAM,
  MOVE_VALUES,
  RELEASE_SUBMISSION,
} from './change-verdict.sql.js';

const EVENTS: readonly EventType[] = ['form.submitted'];

type Verdict = 'ok' | 'spam';
type Locked = FullRow & { eventId: string | null; isUnstored: boolean };

/** Changes the verdict of stored submissions. */
@Injectable()
export class ChangeVerdict {
  constructor(
    private readonly database: Database,
    private readonly subscribers: Subscribers,
    private readonly unstored: UnstoredSubmissions,
  ) {}

  /**
   * Gives a submission a verdict, and returns its JSON in the full view. Changes nothing if it has the verdict already. The first time that a
   * submission becomes `ok`, records `form.submitted`. Throws a 404.
   */
  async run(caller: Caller, formId: string, submissionId: string, verdict: Verdict): Promise<string> {
    const { tenantId } = caller;
    return this.database.transaction(tenantId, async (transaction) => {
      const [row] = await transaction.query(tenantId, LOCK_SUBMISSION, { formId, submissionId });
      // Read after the lock: a change of the fields waits for it before it writes rows of the submission. A deleted form has no submissions.
      const form = row && (await transaction.repository(Form).findOne(tenantId, { id: formId }));
      if (!form) throw Problem.notFound('submission');
      if ((row.verdict ?? 'ok') === verdict) return presentFull(formId, row);
      await this.moveRows(transaction, form, row, verdict);
      if (row.files !== null) {
        const follow = verdict === 'ok' ? KEEP_FILES : PUT_SPAM_FILES;
        await transaction.query(tenantId, follow, { submissionId });
      }
      const changed = verdict === 'ok' ? await release(transaction, form, row) : await markSpam(transaction, form, row);
      if (verdict === 'spam') await this.subscribers.cancel(transaction, tenantId, [submissionId]);
      else if (row.isUnstored) await this.unstored.released(transaction, tenantId, formId);
      const action = verdict === 'ok' ? 'released' : 'marked_spam';
      await recordChanges(transaction, tenantId, caller, [{ action, resource: submissionResource(row.id) }]);
      return presentFull(formId, changed);
    });
  }

  /** Moves the submission's rows of the index into the sections of its new verdict. */
  private async moveRows(transaction: Transaction, form: Form, row: Locked, verdict: Verdict): Promise<void> {
    const { tenantId, id: formId, fields, indexNames, reindexing } = form;
    const submissionId = row.id;
    const schema = Schema.compile(fields, 'form', indexNames);
    const steps = rowsOfStored(schema.fields, { fields: row.fields, isSpam: false });
    const rows = await heavyWork.runIf(isHeavy(row.fields.length), tenantId, steps);
    const ok = rows.map(({ field }) => field);
    const spam = ok.map(sectionOfSpam);
    const [oldFields, newFields] = verdict === 'ok' ? [spam, ok] : [ok, spam];
    const keys = rows.map(({ key }) => key);
    const discriminators = rows.map(({ discriminator }) => discriminator);
    const moved = { formId, submissionId, oldFields, newFields, keys, discriminators };
    const [removed] = await transaction.query(tenantId, MOVE_VALUES, moved);
    // Some are missed while the form is indexed anew, or if a release derives other keys.
    if (removed?.values === rows.length && !reindexing) return;
    await transaction.query(tenantId, DELETE_OTHER_VALUES, { formId, submissionId, keptFields: newFields });
  }
}

async function release(transaction: Transaction, form: Form, row: Locked): Promise<FullRow> {
  const { tenantId, id: formId } = form;
  const [released] = await transaction.query(tenantId, RELEASE_SUBMISSION, {
    formId,
    submissionId: row.id,
    eventId: row.eventId,
    eventIds: EVENTS.map(newUuid),
    eventTypes: EVENTS,
    eventData: presentSubmission(formId, row),
    at: new Date().toISOString(),
  });
  return released ?? row;
}

/** A submission that does not know its event yet learns it, so that a release does not record another. */
async function markSpam(transaction: Transaction, form: Form, row: Locked): Promise<FullRow> {
  const { tenantId, id: formId } = form;
  const [eventId = null] = await eventsOf(transaction, tenantId, [{ ...row, isSpam: false }]);
  const [marked] = await transaction.query(tenantId, MARK_SPAM, { formId, submissionId: row.id, eventId });
  return marked ?? row;
}
