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

/** Maximum number of submissions that a digest shows, and of bytes of their values. */
const DIGEST_SUBMISSIONS = 100;
const DIGEST_BYTES = 262_144;

/** The statements that the worker needs. */
@Injectable()
export class Mails {
  constructor(private readonly database: Database) {}

  /** Claims the email that has been due longest for `lease` milliseconds. Returns undefined if no email is due. */
  async claim(tenantId: string, lease: number): Promise<ClaimedMail | undefined> {
    const [mail] = await this.database.query(tenantId, CLAIM, { leaseMs: lease });
    return mail;
  }

  /** Returns the submissions that the claimed digest shows, the same for each attempt; none if all of them were deleted. */
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

  /**
   * Records a failed attempt. The next one is due after `pause` milliseconds. If `pause` is undefined, the email has failed permanently.
   */
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
