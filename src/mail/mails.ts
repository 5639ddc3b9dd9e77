import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import type { Job } from '../queues/job.js';
import {
  CLAIM,
  type ClaimedMail,
  DIGEST,
  type GatheredSubmission,
  HAS_DUE,
  REFUSED,
  SENT,
  TENANTS_WITH_DUE,
} from './mails.sql.js';

/** The largest number of submissions that a digest shows, and of bytes of their values. */
const DIGEST_SUBMISSIONS = 100;
const DIGEST_BYTES = 262_144;

/** The statements that the worker needs. */
@Injectable()
export class Mails {
  constructor(private readonly database: Database) {}

  /** Claims the mail that has been due longest for `lease` milliseconds. Undefined if no mail is due. */
  async claim(tenantId: string, lease: number): Promise<ClaimedMail | undefined> {
    const [mail] = await this.database.query(tenantId, CLAIM, { leaseMs: lease });
    return mail;
  }

  /** The submissions that the claimed digest shows, the same ones each time. Empty if all of them were removed. */
  async submissionsOf(tenantId: string, { submissionId, formId }: ClaimedMail): Promise<GatheredSubmission[]> {
    return this.database.query(tenantId, DIGEST, {
      digestId: submissionId,
      formId,
      limit: DIGEST_SUBMISSIONS,
      maxBytes: DIGEST_BYTES,
    });
  }

  async sent(tenantId: string, mail: ClaimedMail): Promise<void> {
    await this.database.query(tenantId, SENT, { submissionId: mail.submissionId });
  }

  /** Records a failed attempt. The next one is due after `pause` milliseconds; if that is undefined, the mail has failed. */
  async refused(tenantId: string, mail: ClaimedMail, reason: string, pause: number | undefined): Promise<void> {
    const { submissionId, claimedUntil } = mail;
    await this.database.query(tenantId, REFUSED, { submissionId, claimedUntil, reason, pauseMs: pause ?? null });
  }

  async tenantsWithDue(): Promise<Job[]> {
    return this.database.acrossTenants(TENANTS_WITH_DUE, {});
  }

  async hasDue(tenantId: string): Promise<boolean> {
    return (await this.database.query(tenantId, HAS_DUE, {})).length > 0;
  }
}
