import { Injectable } from '@nestjs/common';
import { heavyWork } from '../../admission/heavy-work.js';
import type { SlicedWork } from '../../admission/sliced-work.js';
import { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transaction.js';
import {
  type ScheduledJobHandler,
  type ScheduledJob,
  ScheduledJobs,
  HandlesScheduledJobs,
} from '../../scheduled-jobs/scheduled-jobs.js';
import { Problem } from '../../errors/problem.js';
import { firstUuidOf } from '../../ids/type-id.js';
import type { SearchLine } from '../../fields/search-text.js';
import { type SearchDocument, unrankedDocumentSliced } from '../../search/search-vector.js';
import { tsvectorArray } from '../../search/tsvector.js';
import { partitionOf } from '../../search/words.js';
import { ADD_WORDS, KEEP_MARK, MARK, NEXT_WITHOUT_WORDS, PUT_INDEXING, WORDS_KIND } from './submission-words.sql.js';

/** A search waits for this long until the submissions are indexed, and an attempt of the worker goes on for so long. */
const ATTEMPT_MS = 5_000;
/** A submission is committed at most this long after it got its ID. */
const LATE_MS = 180_000;
/** The worker looks again after this time, as long as it finds new submissions. */
const PAUSE_MS = 60_000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

interface Progress {
  isDone: boolean;
  /** The number of submissions that were indexed. */
  added: number;
}

/**
 * Keeps the words of submissions for searches, off the path of submitting: a search indexes what has arrived since the last one. A form that
 * nobody searches costs nothing. While a form that is searched gets submissions, a worker indexes them every minute, so that a search finds
 * little to do.
 */
@Injectable()
@HandlesScheduledJobs([WORDS_KIND])
export class SubmissionWords implements ScheduledJobHandler {
  /** The searches of one form wait for the same work. */
  private readonly running = new Map<string, Promise<Progress>>();

  constructor(
    private readonly database: Database,
    private readonly scheduledJobs: ScheduledJobs,
  ) {}

  /** Resolves when all submissions that are committed now are indexed. Throws a 503 if that takes too long; a worker goes on then. */
  async catchUp(tenantId: string, formId: string): Promise<void> {
    const key = `${tenantId} ${formId}`;
    // What is running may have missed the latest submissions.
    await this.running.get(key)?.catch(() => undefined);
    const running = this.running.get(key) ?? this.index(tenantId, formId);
    this.running.set(key, running);
    const { isDone, added } = await running.finally(() => {
      if (this.running.get(key) === running) this.running.delete(key);
    });
    const pauseMs = isDone ? PAUSE_MS : 0;
    if (added > 0 || !isDone) await this.database.query(tenantId, PUT_INDEXING, { formId, pauseMs });
    if (!isDone) throw Problem.unavailable('The submissions are being indexed for searches.', 5);
  }

  async carryOut(tenantId: string, item: ScheduledJob): Promise<void> {
    const { isDone, added } = await this.index(tenantId, item.id);
    const next = new Date(Date.now() + (isDone ? PAUSE_MS : 0)).toISOString();
    return this.scheduledJobs.settle(this.database, tenantId, item, isDone && added === 0 ? undefined : next);
  }

  private async index(tenantId: string, formId: string): Promise<Progress> {
    const until = Date.now() + ATTEMPT_MS;
    const settled = firstUuidOf(new Date(Date.now() - LATE_MS));
    const [mark] = await this.database.query(tenantId, MARK, { formId });
    let after = mark?.after ?? FIRST_ID;
    let added = 0;
    let isDone = false;
    while (!isDone && Date.now() < until) {
      const batch = await this.addBatch(tenantId, formId, after);
      isDone = batch.length === 0;
      added += batch.length;
      after = batch.at(-1) ?? after;
    }
    const reached = isDone || after > settled ? settled : after;
    if (reached > (mark?.after ?? '')) await this.database.query(tenantId, KEEP_MARK, { formId, after: reached });
    return { isDone, added };
  }

  /** Indexes the next submissions that have no words. Returns their IDs. */
  private async addBatch(tenantId: string, formId: string, after: string): Promise<string[]> {
    return this.database.transaction(tenantId, async (transaction) => {
      const rows = await transaction.query(tenantId, NEXT_WITHOUT_WORDS, { formId, after });
      if (rows.length === 0) return [];
      await this.addTo(transaction, tenantId, formId, rows);
      return rows.map(({ id }) => id);
    });
  }

  /** Indexes submissions in a transaction. */
  async addTo(
    transaction: Transaction,
    tenantId: string,
    formId: string,
    rows: readonly { id: string; fields: string }[],
  ): Promise<void> {
    const documents = await heavyWork.run(tenantId, documentsOf(formId, rows));
    await transaction.query(tenantId, ADD_WORDS, {
      formId,
      ids: rows.map(({ id }) => id),
      words: tsvectorArray(documents.map(({ vector }) => vector)),
      gaps: documents.map(({ gaps }) => gaps),
      sequences: documents.map(({ sequence }) => sequence),
    });
  }
}

/** All values are searched, also those of fields that the form no longer has. Results are listed by time, so the documents need no ranks. */
function* documentsOf(formId: string, rows: readonly { fields: string }[]): SlicedWork<SearchDocument[]> {
  const documents: SearchDocument[] = [];
  for (const { fields } of rows) {
    const values = Object.values(JSON.parse(fields) as Record<string, string>);
    const lines = values.map((text): SearchLine => [{ text, role: 'body' }]);
    documents.push(yield* unrankedDocumentSliced(partitionOf(formId), lines));
    yield;
  }
  return documents;
}
