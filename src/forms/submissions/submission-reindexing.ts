import { Injectable } from '@nestjs/common';
import { heavyWork } from '../../admission/heavy-work.js';
import type { Transaction } from '../../database/transaction.js';
import { statement } from '../../database/statements/statement.js';
import { insert, write } from '../../database/statements/write.js';
import {
  type ScheduledJobHandler,
  type ScheduledJob,
  ScheduledJobs,
  HandlesScheduledJobs,
} from '../../scheduled-jobs/scheduled-jobs.js';
import { putJob } from '../../scheduled-jobs/scheduled-jobs.sql.js';
import type { CompiledField } from '../../fields/compiled-field.js';
import { Schema } from '../../fields/schema.js';
import { firstUuidOf } from '../../ids/type-id.js';
import { Form, type Reindexing } from '../form.entity.js';
import { type StoredSubmission, storedIndexRowsSliced } from './submission-index.js';

const KIND = 'submission_index';
/** Submissions that are read at once, and their bytes unless the first one alone has more. */
const BATCH = 250;
const BATCH_BYTES = 1024 * 1024;
/** Batches in the transaction of the change. */
const AT_ONCE = 4;
/** The IDs of submissions that were being written during the change are younger than this. */
const LATE_WINDOW_MS = 180_000;

const PUT = write<{ formId: string }, never>()('forms.put_reindexing', [
  putJob(undefined, { kind: KIND, key: ':formId::uuid', at: 'now()' }),
]);

/** Locks the submissions, so that none of them is deleted, or gets another verdict, before its rows are committed. */
const NEXT = statement<{ formId: string; after: string }, StoredSubmission>()(
  'submissions.next',
  `WITH next AS MATERIALIZED (
      SELECT id, fields, verdict IS NOT NULL AS is_spam, coalesce(size, octet_length(fields::text)) AS bytes FROM submissions
      WHERE tenant_id = :tenantId AND form_id = :formId AND id > :after ORDER BY id LIMIT ${BATCH} FOR SHARE
    )
    SELECT id, fields, is_spam AS "isSpam" FROM (SELECT id, fields, is_spam, sum(bytes) OVER w AS bytes, row_number() OVER w AS place FROM next WINDOW w AS (ORDER BY id)) n
    WHERE bytes <= ${BATCH_BYTES} OR place = 1 ORDER BY id`,
);

const ADD = write<
  {
    formId: string;
    ids: readonly string[];
    fields: readonly string[];
    keys: readonly string[];
    discriminators: readonly string[];
  },
  never
>()('submission_values.add', [
  insert(
    'added',
    `INSERT INTO submission_values (tenant_id, form_id, field, sort_key, submission_id, discriminator)
      SELECT :tenantId, :formId, v.field, v.key, v.id, v.discriminator
      FROM unnest(:ids::uuid[], :fields::text[], :keys::text[], :discriminators::text[]) AS v (id, field, key, discriminator)
      ON CONFLICT DO NOTHING`,
  ),
]);

const SWEEP = statement<{ formId: string; fields: readonly string[] }, object>()(
  'submission_values.sweep',
  `DELETE FROM submission_values WHERE tenant_id = :tenantId AND form_id = :formId AND ctid = ANY (ARRAY(
      SELECT ctid FROM submission_values WHERE tenant_id = :tenantId AND form_id = :formId AND field = ANY (:fields::text[]) LIMIT 5000
    ))
    RETURNING 1`,
);

/**
 * Makes the index of submissions follow the fields of their form: adds the rows of fields that were added or changed their type, and removes
 * those of others. A form with at most 1,000 submissions is indexed in the commit of the change. After it, the rows of submissions that were
 * being written at the same time are added.
 */
@Injectable()
@HandlesScheduledJobs([KIND])
export class SubmissionReindexing implements ScheduledJobHandler {
  constructor(private readonly scheduledJobs: ScheduledJobs) {}

  /** Begins in the transaction of the change, which has locked the form. */
  async begin(transaction: Transaction, form: Form): Promise<void> {
    await transaction.query(form.tenantId, PUT, { formId: form.id });
    for (let batch = 0, after = form; batch < AT_ONCE; batch++) {
      const next = await this.addBatch(transaction, after);
      if (!next) break;
      after = next;
    }
  }

  async carryOut(tenantId: string, item: ScheduledJob): Promise<void> {
    await this.scheduledJobs.inParts(tenantId, item, (transaction) => this.step(transaction, tenantId, item));
  }

  /** Does the next part of the work. Returns true if it has settled the item, or moved it to a later time. */
  private async step(transaction: Transaction, tenantId: string, item: ScheduledJob): Promise<boolean> {
    const forms = transaction.repository(Form);
    const form = await forms.findOne(tenantId, { id: item.id }, 'pessimistic_write');
    if (!form?.reindexing) {
      await this.scheduledJobs.settle(transaction, tenantId, item);
      return true;
    }
    const { names, stale, lateAt } = form.reindexing;
    const isLate = new Date().toISOString() >= lateAt;
    if ((names.length > 0 || isLate) && (await this.addBatch(transaction, form))) return false;
    if (stale.length > 0) {
      const swept = await transaction.query(tenantId, SWEEP, { formId: form.id, fields: stale });
      if (swept.length > 0) return false;
    }
    await forms.update(tenantId, { id: form.id }, { reindexing: isLate ? null : later(form.reindexing) });
    await this.scheduledJobs.settle(transaction, tenantId, item, isLate ? undefined : lateAt);
    return true;
  }

  /** Indexes the next submissions. Returns the form as it is then; undefined if no submission was left. */
  private async addBatch(transaction: Transaction, form: Form): Promise<Form | undefined> {
    const { tenantId, id: formId, reindexing } = form;
    if (!reindexing) return undefined;
    const rows = await transaction.query(tenantId, NEXT, { formId, after: reindexing.after });
    const last = rows.at(-1);
    const added = await heavyWork.run(tenantId, storedIndexRowsSliced(changedFields(form), rows));
    if (added.length > 0) {
      await transaction.query(tenantId, ADD, {
        formId,
        ids: added.map(({ id }) => id),
        fields: added.map(({ row }) => row.field),
        keys: added.map(({ row }) => row.key),
        discriminators: added.map(({ row }) => row.discriminator),
      });
    }
    const next = last ? { ...reindexing, after: last.id } : { ...reindexing, names: [] };
    await transaction.repository(Form).update(tenantId, { id: formId }, { reindexing: next });
    return last ? { ...form, reindexing: next } : undefined;
  }
}

/** The work that remains when all submissions have their rows, except those that were being written. */
function later(reindexing: Reindexing): Reindexing {
  const after = firstUuidOf(new Date(Date.parse(reindexing.lateAt) - LATE_WINDOW_MS));
  return { ...reindexing, names: [], stale: [], after };
}

/** The fields that have names of their own in the index, because they were added or changed. */
function changedFields({ fields, indexNames }: Form): readonly CompiledField[] {
  const schema = Schema.compile(fields, 'form', indexNames);
  return schema.fields.filter(({ name }) => indexNames && Object.hasOwn(indexNames, name));
}
