import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import type { Job } from '../queues/job.js';
import type { WorkItem } from '../work/work-item.js';
import {
  CLAIM_MAILS,
  type ClaimedMailRow,
  DIGEST,
  EXISTING,
  type GatheredSubmission,
  NOTHING,
  WORK,
} from './mails.sql.js';

/** Maximum number of submissions that a digest shows, and of bytes of their values. */
const DIGEST_SUBMISSIONS = 100;
const DIGEST_BYTES = 262_144;
/** A claimed email is sent within this time, or its claim is released. The lease contains it. */
const START_WITHIN_MS = 10_000;

/** An email that only this worker may send. */
export type ClaimedMail = ClaimedMailRow & WorkItem;

/** The result of an attempt. */
export interface MailResult {
  status: 'sent' | 'pending' | 'failed' | 'canceled' | 'skipped';
  /** Why the email was not accepted; null if it was. */
  reason: string | null;
  /** Milliseconds until the next attempt; null if there is no further attempt. */
  pauseMs: number | null;
}

/** The statements that the worker needs. */
@Injectable()
export class Mails {
  constructor(private readonly database: Database) {}

  /** Claims the emails that have been due longest, at most `count`, for `lease` milliseconds. */
  async claim(tenantId: string, count: number, lease: number): Promise<ClaimedMail[]> {
    const startBy = Date.now() + START_WITHIN_MS;
    const rows = await this.database.query(tenantId, CLAIM_MAILS, { limit: count, leaseMs: lease });
    return rows.map((row) => ({ ...row, startBy }));
  }

  /** Returns the submissions that the claimed digest shows, the same for each attempt; none if all of them were deleted. */
  async submissionsOf(tenantId: string, { id, formId }: ClaimedMail): Promise<GatheredSubmission[]> {
    return this.database.query(tenantId, DIGEST, {
      digestId: id,
      formId,
      limit: DIGEST_SUBMISSIONS,
      maxBytes: DIGEST_BYTES,
      nothing: NOTHING,
    });
  }

  /** Whether all of these submissions of the email's form exist. */
  async submissionsExist(tenantId: string, { formId }: ClaimedMail, ids: readonly string[]): Promise<boolean> {
    return (await this.database.query(tenantId, EXISTING, { formId, ids })).length === ids.length;
  }

  /** Records the results of attempts. */
  async settle(
    tenantId: string,
    settled: readonly { item: Pick<ClaimedMail, 'id' | 'claimedUntil'>; result: MailResult }[],
  ): Promise<void> {
    await this.database.query(tenantId, WORK.settle, {
      ids: settled.map(({ item }) => item.id),
      claimedUntil: settled.map(({ item }) => item.claimedUntil),
      statuses: settled.map(({ result }) => result.status),
      pausesMs: settled.map(({ result }) => result.pauseMs),
      errors: settled.map(({ result }) => result.reason),
    });
  }

  async release(tenantId: string, mails: readonly ClaimedMail[]): Promise<void> {
    const ids = mails.map(({ id }) => id);
    await this.database.query(tenantId, WORK.release, { ids, claimedUntil: mails.map((mail) => mail.claimedUntil) });
  }

  async tenantsWithDue(): Promise<Job[]> {
    return this.database.acrossTenants(WORK.tenantsWithDue, {});
  }

  async hasDue(tenantId: string): Promise<boolean> {
    return (await this.database.query(tenantId, WORK.hasDue, {})).length > 0;
  }
}
