import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import type { Transaction } from '../database/transaction.js';
import { statement } from '../database/statements/statement.js';
import { withoutTag } from '../fields/formats/email.js';
import { hashedUuid } from '../ids/hashed-uuid.js';
import { MailLimits } from './mail-limits.js';

/**
 * Emails that all tenants together send to an address within an hour. It is far above what one tenant may send, so a tenant whose email is
 * delayed does not learn that another tenant wrote to the address.
 */
const SERVICE_LIMIT = 10;
/** Stands for all forms of a tenant. */
const ALL_FORMS = '00000000-0000-0000-0000-000000000000';

const HOUR_MS = 3_600_000;

/** Takes the hour of an address for an email of the tenant. Returns no row if another email has it. Citus refuses to compute times here. */
const TAKE_HOUR = statement<{ address: string; mailId: string; now: string; until: string }, object>()(
  'autoresponder_recipients.take',
  `INSERT INTO autoresponder_recipients AS r (tenant_id, address, mail_id, until)
    VALUES (:tenantId, :address::uuid, :mailId::uuid, :until::timestamptz)
    ON CONFLICT (tenant_id, address) DO UPDATE SET mail_id = excluded.mail_id, until = excluded.until
    WHERE r.until <= :now::timestamptz OR r.mail_id = excluded.mail_id
    RETURNING 1`,
);

/** Deletes some hours that have passed. */
const FORGET_HOURS = statement<{ address: string }, never>()(
  'autoresponder_recipients.forget',
  `DELETE FROM autoresponder_recipients WHERE tenant_id = :tenantId AND address = ANY (ARRAY(
      SELECT address FROM autoresponder_recipients WHERE tenant_id = :tenantId AND until <= now() AND address <> :address::uuid
      ORDER BY until LIMIT 5 FOR UPDATE SKIP LOCKED
    ))`,
);

/** An email of the autoresponder. */
interface LimitedMail {
  id: string;
  formId: string;
  /** The number of attempts before this one. */
  attempts: number;
}

/** Why an email is not sent. Thrown, so that nothing of it is counted. */
class Refused extends Error {}

/** The limits of emails to visitors: one an hour to an address, and a number a day for a form and for a tenant. */
@Injectable()
export class AutoresponderLimits {
  constructor(
    private readonly database: Database,
    private readonly config: Config,
    private readonly limits: MailLimits,
  ) {}

  /**
   * Counts the email. Returns why the tenant may not send it; undefined if it may. Another attempt of the same email is not counted again.
   * Nothing here depends on other tenants.
   */
  async refusalOf(tenantId: string, mail: LimitedMail, to: string): Promise<string | undefined> {
    try {
      await this.database.transaction(tenantId, (transaction) => this.count(transaction, tenantId, mail, to));
      return undefined;
    } catch (error) {
      if (error instanceof Refused) return error.message;
      throw error;
    }
  }

  /** Counts an attempt over all tenants. Returns whether the address has reached its limit, so that this email must wait. */
  async mustWait(to: string): Promise<boolean> {
    return !(await this.limits.countHour(['autoresponse', withoutTag(to)], SERVICE_LIMIT));
  }

  private async count(transaction: Transaction, tenantId: string, mail: LimitedMail, to: string): Promise<void> {
    const address = hashedUuid(JSON.stringify([tenantId, withoutTag(to)]));
    const [now, until] = [0, HOUR_MS].map((ms) => new Date(Date.now() + ms).toISOString()) as [string, string];
    const taken = await transaction.query(tenantId, TAKE_HOUR, { address, mailId: mail.id, now, until });
    if (taken.length === 0) throw new Refused('The address received such an email within the last hour.');
    await transaction.query(tenantId, FORGET_HOURS, { address });
    if (mail.attempts > 0) return;
    const { autoresponderDailyLimit: limit, autoresponderTenantDailyLimit: tenantLimit } = this.config;
    if (!(await this.limits.countDay(transaction, tenantId, mail.formId, limit))) {
      throw new Refused('The form has sent the emails that it may send to visitors on one day.');
    }
    if (!(await this.limits.countDay(transaction, tenantId, ALL_FORMS, tenantLimit))) {
      throw new Refused('The tenant has sent the emails that its forms may send to visitors on one day.');
    }
  }
}
