import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { serviceStatement, statement } from '../database/statements/statement.js';
import type { Executor } from '../database/transaction.js';
import { hashedUuid } from '../ids/hashed-uuid.js';

/** Counts an email on today's date (UTC). Returns no row if there were enough. */
const COUNT_DAY = statement<{ counter: string; limit: number }, object>()(
  'mail_days.count',
  `INSERT INTO mail_days AS d (tenant_id, counter, day, mails)
    VALUES (:tenantId, :counter::uuid, (now() AT TIME ZONE 'UTC')::date, 1)
    ON CONFLICT (tenant_id, counter) DO UPDATE SET day = excluded.day, mails = CASE WHEN d.day = excluded.day THEN d.mails + 1 ELSE 1 END
    WHERE d.day <> excluded.day OR d.mails < :limit::integer
    RETURNING 1`,
);

/** Counts an email of this hour. Returns no row if there were enough. Some hours that have passed are deleted with each. */
const COUNT_HOUR = serviceStatement<{ address: string; limit: number }, object>()(
  'address_hours.count',
  `WITH old AS (
      SELECT address FROM address_hours WHERE until <= now() AND address <> :address::uuid ORDER BY until LIMIT 5 FOR UPDATE SKIP LOCKED
    ), deleted AS (
      DELETE FROM address_hours WHERE address = ANY (ARRAY(SELECT address FROM old))
    )
    INSERT INTO address_hours AS h (address, sent, until) VALUES (:address::uuid, 1, now() + interval '1 hour')
    ON CONFLICT (address) DO UPDATE SET sent = CASE WHEN h.until <= now() THEN 1 ELSE h.sent + 1 END,
      until = CASE WHEN h.until <= now() THEN excluded.until ELSE h.until END
    WHERE h.until <= now() OR h.sent < :limit::integer
    RETURNING 1`,
);

/** Counts emails by hour and by day. Each method counts an email and returns true, or returns false if there were enough. */
@Injectable()
export class MailLimits {
  constructor(private readonly database: Database) {}

  /** Counts what `key` identifies: an address, with what is sent to it and by which tenant. Only a hash of it is stored. */
  async countHour(key: readonly string[], limit: number): Promise<boolean> {
    const address = hashedUuid(JSON.stringify(key));
    return (await this.database.withoutTenants(COUNT_HOUR, { address, limit })).length > 0;
  }

  /** Counts for a counter of the tenant, by its UUID: a form, for example. */
  async countDay(executor: Executor, tenantId: string, counter: string, limit: number): Promise<boolean> {
    return (await executor.query(tenantId, COUNT_DAY, { counter, limit })).length > 0;
  }
}
