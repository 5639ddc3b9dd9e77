import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { serviceStatement, statement } from '../database/statement.js';
import { hashedUuid } from '../ids/hashed-uuid.js';
import { withoutTag } from './autoresponse.js';

/**
 * Takes the hour of an address for an email. Returns no row if another email has it. The hours belong to no tenant, because a person
 * receives the emails of all of them. Some hours that have passed are deleted with each.
 */
const TAKE_HOUR = serviceStatement<{ address: string; mailId: string }, object>()(
  'autoresponder_hours.take',
  `WITH old AS (
      SELECT address FROM autoresponder_hours WHERE until <= now() AND address <> :address::uuid ORDER BY until LIMIT 5 FOR UPDATE SKIP LOCKED
    ), deleted AS (
      DELETE FROM autoresponder_hours WHERE address = ANY (ARRAY(SELECT address FROM old))
    )
    INSERT INTO autoresponder_hours AS h (address, mail_id, until) VALUES (:address::uuid, :mailId::uuid, now() + interval '1 hour')
    ON CONFLICT (address) DO UPDATE SET mail_id = excluded.mail_id, until = excluded.until
    WHERE h.until <= now() OR h.mail_id = excluded.mail_id
    RETURNING 1`,
);

const LEAVE_HOUR = serviceStatement<{ address: string; mailId: string }, never>()(
  'autoresponder_hours.leave',
  'DELETE FROM autoresponder_hours WHERE address = :address::uuid AND mail_id = :mailId::uuid',
);

/** Counts an email of a form on today's date (UTC). Returns no row if there were enough. */
const COUNT_DAY = statement<{ formId: string; limit: number }, object>()(
  'autoresponder_days.count',
  `INSERT INTO autoresponder_days AS d (tenant_id, form_id, day, mails)
    VALUES (:tenantId, :formId::uuid, (now() AT TIME ZONE 'UTC')::date, 1)
    ON CONFLICT (tenant_id, form_id) DO UPDATE SET day = excluded.day, mails = CASE WHEN d.day = excluded.day THEN d.mails + 1 ELSE 1 END
    WHERE d.day <> excluded.day OR d.mails < :limit::integer
    RETURNING 1`,
);

/** The limits of emails to visitors: one an hour to an address, and a number a day for a form. */
@Injectable()
export class AutoresponderLimits {
  constructor(
    private readonly database: Database,
    private readonly config: Config,
  ) {}

  /** Counts the email. Returns why it may not be sent; undefined if it may. Another attempt of the same email is not counted again. */
  async refusalOf(
    tenantId: string,
    mail: { id: string; formId: string; attempts: number },
    to: string,
  ): Promise<string | undefined> {
    const hour = { address: hashedUuid(withoutTag(to)), mailId: mail.id };
    if ((await this.database.withoutTenants(TAKE_HOUR, hour)).length === 0) {
      return 'The address received such an email within the last hour.';
    }
    if (mail.attempts > 0) return undefined;
    const day = { formId: mail.formId, limit: this.config.autoresponderDailyLimit };
    if ((await this.database.query(tenantId, COUNT_DAY, day)).length > 0) return undefined;
    await this.database.withoutTenants(LEAVE_HOUR, hour);
    return 'The form has sent the emails that it may send to visitors on one day.';
  }
}
