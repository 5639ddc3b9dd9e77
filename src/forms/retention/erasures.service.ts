import { Injectable } from '@nestjs/common';
import { auditOf } from '../../audit/record-changes.js';
import { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transaction.js';
import {
  type ScheduledJobHandler,
  type ScheduledJob,
  ScheduledJobs,
  HandlesScheduledJobs,
} from '../../scheduled-jobs/scheduled-jobs.js';
import { Problem } from '../../errors/problem.js';
import type { FieldDefinition } from '../../fields/field-definition.js';
import type { Caller } from '../../http/caller.js';
import { firstUuidOf, formatId, newUuid, timeOf } from '../../ids/type-id.js';
import { SubmissionDeletions } from '../submissions/submission-deletions.js';
import { hashOfAddress } from '../submissions/submission-hashes.js';
import { ErasureTimes } from './erasure-times.js';
import {
  ADVANCE_ERASURE,
  type Candidate,
  DELETE_ERASURE,
  ERASURE_KIND,
  type ErasureRow,
  type ErasureState,
  FIND_ERASURE,
  FIRST_ID,
  FINISH_ERASURE,
  FORM_FROM,
  LOCK_ERASURE,
  NEXT_PART,
  REQUEST_ERASURE,
} from './erasures.sql.js';

/** Submissions that are deleted in a transaction. */
const BATCH = 200;
/** The IDs of submissions that were being written during the first walk are younger than this at the request. */
const LATE_WINDOW_MS = 180_000;

/**
 * Deletes all submissions of a tenant with an address. It is not stored: a hash of it is compared with the hashes of the submissions. The
 * first walk goes through all submissions, and the second one through those that were being written meanwhile. What an erasure did can be
 * read for 30 days.
 */
@Injectable()
@HandlesScheduledJobs([ERASURE_KIND])
export class ErasuresService implements ScheduledJobHandler {
  constructor(
    private readonly database: Database,
    private readonly scheduledJobs: ScheduledJobs,
    private readonly submissions: SubmissionDeletions,
    private readonly times: ErasureTimes,
  ) {}

  async request(caller: Caller, email: string): Promise<ErasureRow> {
    const { tenantId } = caller;
    const id = newUuid();
    const [row] = await this.database.query(tenantId, REQUEST_ERASURE, {
      id,
      address: hashOfAddress(tenantId, email),
      first: FIRST_ID,
      at: timeOf(id).toISOString(),
      audit: auditOf(caller, { action: 'requested', resource: { type: 'erasure', id: formatId('era', id) } }),
    });
    if (!row) throw new Error('The insert of an erasure returned no row.');
    return row;
  }

  /** Throws a 404 if it is unknown. */
  async get({ tenantId }: Caller, id: string): Promise<ErasureRow> {
    const [row] = await this.database.query(tenantId, FIND_ERASURE, { id });
    if (!row) throw Problem.notFound('erasure');
    return row;
  }

  async carryOut(tenantId: string, item: ScheduledJob): Promise<void> {
    await this.scheduledJobs.inParts(tenantId, item, (transaction) => this.step(transaction, tenantId, item));
  }

  /** Does the next part. Returns true if it has settled the item. */
  private async step(transaction: Transaction, tenantId: string, item: ScheduledJob): Promise<boolean> {
    const [state] = await transaction.query(tenantId, LOCK_ERASURE, { id: item.id });
    if (!state?.address) {
      // It was done long ago.
      await transaction.query(tenantId, DELETE_ERASURE, { id: item.id });
      await this.scheduledJobs.settle(transaction, tenantId, item);
      return true;
    }
    const [form] = await transaction.query(tenantId, FORM_FROM, { formId: state.formId });
    if (!form) return this.endWalk(transaction, tenantId, item, state);
    const first = state.late ? firstUuidOf(new Date(Date.parse(state.requestedAt) - LATE_WINDOW_MS)) : FIRST_ID;
    // The form of the last step may have been deleted.
    const after = form.id === state.formId && state.after > first ? state.after : first;
    const names = possibleNames(form);
    const part = await transaction.query(tenantId, NEXT_PART, {
      formId: form.id,
      after,
      address: state.address,
      names,
    });
    const found = part.filter((row) => hasAddress(tenantId, row, state.address)).map(({ id }) => id);
    const batch = found.slice(0, BATCH);
    const { ids, erased } = await this.submissions.deleteRecorded(transaction, tenantId, form.id, batch);
    const last = found.length > batch.length ? batch.at(-1) : part.at(-1)?.id;
    await transaction.query(tenantId, ADVANCE_ERASURE, {
      id: item.id,
      ...(last === undefined ? { formId: nextAfter(form.id), after: FIRST_ID } : { formId: form.id, after: last }),
      late: state.late,
      submissions: ids.length,
      files: erased['files'] ?? 0,
      mails: erased['mails'] ?? 0,
      deliveries: erased['deliveries'] ?? 0,
    });
    return false;
  }

  private async endWalk(
    transaction: Transaction,
    tenantId: string,
    item: ScheduledJob,
    { late, requestedAt }: ErasureState,
  ): Promise<boolean> {
    if (late) {
      await transaction.query(tenantId, FINISH_ERASURE, { id: item.id });
      const forgotten = new Date(Date.now() + this.times.kept);
      await this.scheduledJobs.settle(transaction, tenantId, item, forgotten.toISOString());
      return true;
    }
    const none = { submissions: 0, files: 0, mails: 0, deliveries: 0 };
    const again = { id: item.id, formId: FIRST_ID, after: FIRST_ID, late: true, ...none };
    await transaction.query(tenantId, ADVANCE_ERASURE, again);
    const at = Math.max(Date.parse(requestedAt) + this.times.late, Date.now());
    await this.scheduledJobs.settle(transaction, tenantId, item, new Date(at).toISOString());
    return true;
  }
}

/** The names of the fields that have addresses in submissions without hashes: email fields, and former fields, whose type nobody knows. */
function possibleNames({ fields, former }: { fields: string; former: string | null }): string[] {
  const definitions = JSON.parse(fields) as FieldDefinition[];
  const emails = definitions.filter(({ type }) => type === 'email').map(({ name }) => name);
  return [...emails, ...(former === null ? [] : (JSON.parse(former) as string[]))];
}

function hasAddress(tenantId: string, { isFound, values }: Candidate, address: string | null): boolean {
  return isFound || (values ?? []).some((value) => hashOfAddress(tenantId, value) === address);
}

/** The least UUID that is greater. */
function nextAfter(uuid: string): string {
  const next = (BigInt(`0x${uuid.replaceAll('-', '')}`) + 1n).toString(16).padStart(32, '0');
  return next.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
