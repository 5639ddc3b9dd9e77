import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import type { Job } from '../queues/job.js';
import { CLAIM, HAS_DUE, REFUSED, SENT, TENANTS_WITH_DUE } from './mails.sql.js';

/** A mail that this worker alone may send, until `claimedUntil`. */
export interface ClaimedMail {
  submissionId: string;
  formId: string;
  recipient: string;
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

/** The table of mails as the worker uses it. */
@Injectable()
export class Mails {
  constructor(private readonly database: Database) {}

  /** The mail that is due longest, for `lease` milliseconds; undefined when none is due. */
  async claim(tenantId: string, lease: number): Promise<ClaimedMail | undefined> {
    const [mail] = await this.database.query<ClaimedMail>(tenantId, CLAIM, [lease]);
    return mail;
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
