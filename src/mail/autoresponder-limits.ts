import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import type { Transaction } from '../database/transaction.js';
import { serviceStatement, statement } from '../database/statements/statement.js';
import { withoutTag } from '../fields/formats/email.js';
import { hashedUuid } from '../ids/hashed-uuid.js';

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

/** Counts an email on today's date (UTC): of its form, and of the tenant. Returns the rows that had not reached their limit. */
const COUNT_DAY = statement<
  { formId: string; limit: number; allForms: string; tenantLimit: number },
  { formId: string }
>()(
  'autoresponder_days.count',
  `INSERT INTO autoresponder_days AS d (tenant_id, form_id, day, mails)
    VALUES (:tenantId, :formId::uuid, (now() AT TIME ZONE 'UTC')::date, 1), (:tenantId, :allForms::uuid, (now() AT TIME ZONE 'UTC')::date, 1)
    ON CONFLICT (tenant_id, form_id) DO UPDATE SET day = excluded.day, mails = CASE WHEN d.day = excluded.day THEN d.mails + 1 ELSE 1 END
    WHERE d.day <> excluded.day OR d.mails < CASE WHEN d.form_id = :allForms::uuid THEN :tenantLimit::integer ELSE :limit::integer END
    RETURNING form_id AS "formId"`,
);

/** Counts an email to an address, over all tenants. Returns no row if there were enough. Some hours that have passed are deleted with each. */
const COUNT_HOUR = serviceStatement<{ address: string; limit: number }, object>()(
  'autoresponder_hours.count',
  `WITH old AS (
      SELECT address FROM autoresponder_hours WHERE until <= now() AND address <> :address::uuid ORDER BY until LIMIT 5 FOR UPDATE SKIP LOCKED
    ), deleted AS (
      DELETE FROM autoresponder_hours WHERE address = ANY (ARRAY(SELECT address FROM old))
    )
    INSERT INTO autoresponder_hours AS h (address, sent, until) VALUES (:address::uuid, 1, now() + interval '1 hour')
    ON CONFLICT (address) DO UPDATE SET sent = CASE WHEN h.until <= now() THEN 1 ELSE h.sent + 1 END,
      until = CASE WHEN h.until <= now() THEN excluded.until ELSE h.until END
    WHERE h.until <= now() OR h.sent < :limit::integer
    RETURNING 1`,
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

  /** Counts an attempt over all tenants. Returns whether the address gets so many emails that this one must wait. */
  async mustWait(to: string): Promise<boolean> {
    const address = hashedUuid(withoutTag(to));
    return (await this.database.withoutTenants(COUNT_HOUR, { address, limit: SERVICE_LIMIT })).length === 0;
  }

  private async count(transaction: Transaction, tenantId: string, mail: LimitedMail, to: string): Promise<void> {
    const address = hashedUuid(JSON.stringify([tenantId, withoutTag(to)]));
    const [now, until] = [0, HOUR_MS].map((ms) => new Date(Date.now() + ms).toISOString()) as [string, string];
    const taken = await transaction.query(tenantId, TAKE_HOUR, { address, mailId: mail.id, now, until });
    if (taken.length === 0) throw new Refused('The address received such an email within the last hour.');
    await transaction.query(tenantId, FORGET_HOURS, { address });
    if (mail.attempts > 0) return;
    const { autoresponderDailyLimit: limit, autoresponderTenantDailyLimit: tenantLimit } = this.config;
    const { formId } = mail;
    const rows = await transaction.query(tenantId, COUNT_DAY, { formId, limit, allForms: ALL_FORMS, tenantLimit });
    const counted = new Set(rows.map((row) => row.formId));
    if (!counted.has(formId)) {
      throw new Refused('The form has sent the emails that it may send to visitors on one day.');
    }
    if (!counted.has(ALL_FORMS)) {
      throw new Refused('The tenant has sent the emails that its forms may send to visitors on one day.');
    }
  }
}
