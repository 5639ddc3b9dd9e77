import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import type { Job } from '../queues/job.js';
import { CLAIM, DIGEST, HAS_DUE, REFUSED, SENT, TENANTS_WITH_DUE } from './mails.sql.js';

/** Submissions that a digest shows at most, and bytes of their values. */
const DIGEST_SUBMISSIONS = 100;
const DIGEST_BYTES = 262_144;

/** A mail that this worker alone may send, until `claimedUntil`. */
export interface ClaimedMail {
  /** The submission that it is about; of a digest the first one. */
  submissionId: string;
  formId: string;
  recipient: string;
  isDigest: boolean;
  /** Before this one. */
  attempts: number;
  claimedUntil: string;
  /** Null, as everything below: the form or the submission was removed. */
  formName: string | null;
  /** JSON text, like `values`. */
  definitions: string | null;
  values: string | null;
  submittedAt: string | null;
}

/** A submission that a digest shows. */
export interface GatheredSubmission {
  id: string;
  /** JSON text. */
  values: string;
  submittedAt: string;
  /** Of all submissions of the digest. */
  total: number;
}

/** The table of mails as the worker uses it. */
@Injectable()
export class Mails {
  constructor(private readonly database: Database) {}

  /** The mail that is due longest, for `lease` milliseconds; undefined when none is due. */
  async claim(tenantId: string, lease: number): Promise<ClaimedMail | undefined> {
    const [mail] = await this.database.query<ClaimedMail>(tenantId, CLAIM, [lease]);
    return mail;
  }

  /** The submissions that the claimed digest shows, the same ones each time; none when all of them were removed. */
  async submissionsOf(tenantId: string, { submissionId, formId }: ClaimedMail): Promise<GatheredSubmission[]> {
    const limits = [DIGEST_SUBMISSIONS, DIGEST_BYTES];
    return this.database.query<GatheredSubmission>(tenantId, DIGEST, [submissionId, formId, ...limits]);
  }

  async sent(tenantId: string, mail: ClaimedMail): Promise<void> {
    await this.database.query(tenantId, SENT, [mail.submissionId]);
  }

  /** To be tried again after `pause` milliseconds; undefined: never. */
  async refused(tenantId: string, mail: ClaimedMail, reason: string, pause: number | undefined): Promise<void> {
    await this.database.query(tenantId, REFUSED, [mail.submissionId, mail.claimedUntil, reason, pause ?? null]);
  }

  async tenantsWithDue(): Promise<Job[]> {
    return this.database.acrossTenants<Job>(TENANTS_WITH_DUE);
  }

  async hasDue(tenantId: string): Promise<boolean> {
    return (await this.database.query(tenantId, HAS_DUE)).length > 0;
  }
}
