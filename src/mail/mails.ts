import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import type { Job } from '../queues/job.js';
import type { WorkItem } from '../work/work-item.js';
import { CLAIM_LETTERS, type ClaimedLetterRow, PENDING_LETTER } from './letters/letters.sql.js';
import { DUE_TABLES, type MailTable, WORK } from './mail-work.sql.js';
import { CLAIM_MAILS, type ClaimedMailRow, DIGEST, EXISTING, type GatheredSubmission, NOTHING } from './mails.sql.js';

/** Maximum number of submissions that a digest shows, and of bytes of their values. */
const DIGEST_SUBMISSIONS = 100;
const DIGEST_BYTES = 262_144;
/** A claimed email is sent within this time, or its claim is released. The lease contains it. */
const START_WITHIN_MS = 10_000;

/** An email about a submission that only this worker may send. */
export type ClaimedMail = ClaimedMailRow & WorkItem & { table: 'mails' };

/** A letter that only this worker may send. */
export type ClaimedLetter = ClaimedLetterRow & WorkItem & { table: 'letters' };

export type Claimed = ClaimedMail | ClaimedLetter;

type Claim = Pick<Claimed, 'table' | 'id' | 'claimedUntil'>;

/** The result of an attempt. */
export interface MailResult {
  status: 'sent' | 'pending' | 'failed' | 'canceled' | 'skipped';
  /** Why the email was not accepted; null if it was. */
  reason: string | null;
  /** Milliseconds until the next attempt; null if there is no further attempt. */
  pauseMs: number | null;
}

const WORKS = Object.entries(WORK) as [MailTable, (typeof WORK)[MailTable]][];

/** The statements that the worker needs. */
@Injectable()
export class Mails {
  constructor(private readonly database: Database) {}

  /** Claims the emails of a table that have been due longest, at most `count`, for `lease` milliseconds. */
  async claim(tenantId: string, table: MailTable, count: number, lease: number): Promise<Claimed[]> {
    const startBy = Date.now() + START_WITHIN_MS;
    const claiming = { limit: count, leaseMs: lease };
    if (table === 'mails') {
      const rows = await this.database.query(tenantId, CLAIM_MAILS, claiming);
      return rows.map((row) => ({ ...row, startBy, table }));
    }
    const rows = await this.database.query(tenantId, CLAIM_LETTERS, claiming);
    return rows.map((row) => ({ ...row, startBy, table }));
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

  /** Whether what the email is about still exists: all of these submissions of its form. A letter must not be canceled. */
  async isWanted(tenantId: string, mail: Claimed, submissionIds: readonly string[]): Promise<boolean> {
    if (mail.table === 'letters') {
      return (await this.database.query(tenantId, PENDING_LETTER, { id: mail.id })).length > 0;
    }
    const { formId } = mail;
    const rows = await this.database.query(tenantId, EXISTING, { formId, ids: submissionIds });
    return rows.length === submissionIds.length;
  }

  /** Records the results of attempts. */
  async settle(tenantId: string, settled: readonly { item: Claim; result: MailResult }[]): Promise<void> {
    for (const [table, { settle }] of WORKS) {
      const ofTable = settled.filter(({ item }) => item.table === table);
      if (ofTable.length === 0) continue;
      await this.database.query(tenantId, settle, {
        ids: ofTable.map(({ item }) => item.id),
        claimedUntil: ofTable.map(({ item }) => item.claimedUntil),
        statuses: ofTable.map(({ result }) => result.status),
        pausesMs: ofTable.map(({ result }) => result.pauseMs),
        errors: ofTable.map(({ result }) => result.reason),
      });
    }
  }

  async release(tenantId: string, claims: readonly Claim[]): Promise<void> {
    for (const [table, { release }] of WORKS) {
      const ofTable = claims.filter((claim) => claim.table === table);
      if (ofTable.length === 0) continue;
      const ids = ofTable.map(({ id }) => id);
      await this.database.query(tenantId, release, { ids, claimedUntil: ofTable.map((claim) => claim.claimedUntil) });
    }
  }

  /** A tenant may occur twice. */
  async tenantsWithDue(): Promise<Job[]> {
    const jobs = await this.database.acrossTenants(WORK.mails.tenantsWithDue, {});
    return [...jobs, ...(await this.database.acrossTenants(WORK.letters.tenantsWithDue, {}))];
  }

  /** The tables with due emails of the tenant. */
  async dueTables(tenantId: string): Promise<MailTable[]> {
    return (await this.database.query(tenantId, DUE_TABLES, {})).map(({ table }) => table);
  }
}
