import { Injectable } from '@nestjs/common';
import { recordChanges } from '../../audit/record-changes.js';
import { heavyWork } from '../../admission/heavy-work.js';
import { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transaction.js';
import { Problem } from '../../errors/problem.js';
import { type Erased, EventErasure } from '../../events/event-erasure.js';
import { EventRecorder } from '../../events/event-recorder.js';
import { Schema } from '../../fields/schema.js';
import type { Caller } from '../../http/caller.js';
import { firstUuidOf, formatId, timeOf } from '../../ids/type-id.js';
import { Form } from '../form.entity.js';
import { ADD_DELETED } from '../inbox/submission-statistics.sql.js';
import {
  DELETE_ALL_VALUES,
  DELETE_SUBMISSIONS,
  FIND_EVENTS,
  LOCK_SUBMISSIONS,
  type LockedSubmission,
} from './submission-deletions.sql.js';
import { storedIndexRowsSliced } from './submission-index.js';
import { submissionResource } from './submission-write.js';

/** An event is recorded in the statement of its submission, and gets its ID a moment later. */
const EVENT_WITHIN_MS = 60_000;

/** The UUIDs of deleted submissions, and the number of other things that were removed, by their names: `mails`, `deliveries`, `files`. */
interface Deleted {
  ids: string[];
  erased: Erased;
}

/** Deletes submissions, and what others hold of them. Every deletion of a submission goes through here. */
@Injectable()
export class SubmissionDeletions {
  constructor(
    private readonly database: Database,
    private readonly events: EventRecorder,
    private readonly erasure: EventErasure,
  ) {}

  /**
   * Deletes submissions at the request of a caller, at most 1,000, and records `submission.deleted` for each, also in the audit log. Those that do not exist are
   * left out. Returns the number of the others. Throws a 404 if the form is unknown.
   */
  async deleteOf(caller: Caller, formId: string, ids: readonly string[]): Promise<number> {
    const { tenantId } = caller;
    return this.database.transaction(tenantId, async (transaction) => {
      if (!(await transaction.repository(Form).findOne(tenantId, { id: formId }))) throw Problem.notFound('form');
      const deleted = await this.deleteRecorded(transaction, tenantId, formId, ids);
      const changes = deleted.ids.map((id) => ({ action: 'deleted', resource: submissionResource(id) }));
      await recordChanges(transaction, tenantId, caller, changes);
      return deleted.ids.length;
    });
  }

  /**
   * Deletes submissions of a form in the transaction, at most 1,000. Those that do not exist are left out. Returns the UUIDs of the others.
   * It records no event.
   */
  async delete(transaction: Transaction, tenantId: string, formId: string, ids: readonly string[]): Promise<string[]> {
    return (await this.deleteCounted(transaction, tenantId, formId, ids)).ids;
  }

  /** Like `delete`, and records `submission.deleted` for each. Also returns the number of other things that were removed, by their names. */
  async deleteRecorded(
    transaction: Transaction,
    tenantId: string,
    formId: string,
    ids: readonly string[],
  ): Promise<Deleted> {
    if (ids.length === 0) return { ids: [], erased: {} };
    const deleted = await this.deleteCounted(transaction, tenantId, formId, ids);
    const at = new Date();
    const form_id = formatId('frm', formId);
    const events = deleted.ids.map((id) => ({
      type: 'submission.deleted' as const,
      data: JSON.stringify({ id: formatId('sub', id), form_id }),
      at,
    }));
    await this.events.record(transaction, tenantId, events);
    return deleted;
  }

  private async deleteCounted(
    transaction: Transaction,
    tenantId: string,
    formId: string,
    ids: readonly string[],
  ): Promise<Deleted> {
    const rows = await transaction.query(tenantId, LOCK_SUBMISSIONS, { formId, ids });
    if (rows.length === 0) return { ids: [], erased: {} };
    const found = rows.map(({ id }) => id);
    // Read after the locks: a change of the fields waits for them before it writes rows of these submissions.
    const form = await transaction.repository(Form).findOne(tenantId, { id: formId });
    const files = await this.deleteRows(transaction, tenantId, { formId, form, rows });
    if (form) await transaction.query(tenantId, ADD_DELETED, { formId, ...daysOf(rows) });
    const eventIds = await eventsOf(transaction, tenantId, rows);
    const erased = await this.erasure.erase(transaction, tenantId, { resourceIds: found, eventIds });
    return { ids: found, erased: { ...erased, files } };
  }

  /** Returns the number of the files that were deleted. */
  private async deleteRows(
    transaction: Transaction,
    tenantId: string,
    { formId, form, rows }: { formId: string; form: Form | null; rows: readonly LockedSubmission[] },
  ): Promise<number> {
    const ids = rows.map(({ id }) => id);
    const fields = form ? Schema.compile(form.fields, 'form', form.indexNames).fields : [];
    const values = form ? await heavyWork.run(tenantId, storedIndexRowsSliced(fields, rows)) : [];
    const [deleted] = await transaction.query(tenantId, DELETE_SUBMISSIONS, {
      formId,
      ids,
      valueIds: values.map(({ id }) => id),
      valueFields: values.map(({ row }) => row.field),
      valueKeys: values.map(({ row }) => row.key),
      // The counters of a deleted form are deleted with it.
      count: form ? rows.filter(({ isSpam }) => !isSpam).length : 0,
      spam: form ? rows.filter(({ isSpam }) => isSpam).length : 0,
    });
    // Rows of a deleted form are deleted together. Others are missed while the form is indexed anew, or if a release derives other keys.
    if (form && (deleted?.values !== values.length || form.reindexing)) {
      await transaction.query(tenantId, DELETE_ALL_VALUES, { formId, ids });
    }
    return deleted?.files ?? 0;
  }
}

/** The days on which the submissions arrived, for the statistics. */
function daysOf(rows: readonly LockedSubmission[]): { days: string[]; ok: number[]; spam: number[] } {
  const days = new Map<string, { ok: number; spam: number }>();
  for (const { id, isSpam } of rows) {
    const day = timeOf(id).toISOString().slice(0, 10);
    const counted = days.get(day) ?? { ok: 0, spam: 0 };
    counted[isSpam ? 'spam' : 'ok']++;
    days.set(day, counted);
  }
  const counts = [...days.values()];
  return { days: [...days.keys()], ok: counts.map(({ ok }) => ok), spam: counts.map(({ spam }) => spam) };
}

/** Returns the events `form.submitted` of locked submissions. */
export async function eventsOf(
  transaction: Transaction,
  tenantId: string,
  rows: readonly Pick<LockedSubmission, 'id' | 'isSpam' | 'eventId'>[],
): Promise<string[]> {
  const known = rows.flatMap(({ eventId }) => eventId ?? []);
  const older = rows.filter(({ eventId, isSpam }) => eventId === null && !isSpam).map(({ id }) => id);
  if (older.length === 0) return known;
  const found = await transaction.query(tenantId, FIND_EVENTS, {
    submissions: older.map((id) => formatId('sub', id)),
    from: older.map((id) => firstUuidOf(timeOf(id))),
    to: older.map((id) => firstUuidOf(new Date(timeOf(id).getTime() + EVENT_WITHIN_MS))),
  });
  return [...known, ...found.map(({ id }) => id)];
}
