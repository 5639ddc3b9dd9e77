import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transaction.js';
import type { OpenSession } from '../../http/open-session.js';
import { ANNOUNCE_ENDED_SESSIONS } from '../../keys/access-changes.sql.js';
import { AccessWatch } from '../../keys/access-watch.js';
import { FIND_PERSON, LOCK_PERSON } from '../people.sql.js';
import { EnteredTenants } from './entered-tenants.js';
import { END_SESSION, END_SESSIONS_OF } from './sessions.sql.js';

type Work = (transaction: Transaction) => Promise<void>;

/** Ends sessions. Every process hears of it in the tenants that they may enter, and refuses them within a second. */
@Injectable()
export class EndedSessions {
  constructor(
    private readonly database: Database,
    private readonly watch: AccessWatch,
    private readonly entered: EnteredTenants,
  ) {}

  /** Ends a session. */
  async end({ id, personId, key }: Pick<OpenSession, 'id' | 'personId' | 'key'>): Promise<void> {
    const tenants = key ? [key.tenantId] : await this.tenantsOf(personId ?? '');
    await this.along(tenants, async (transaction) => {
      const entered = personId === undefined ? tenants : await lockedTenants(transaction, { id: personId, tenants });
      await transaction.withoutTenants(END_SESSION, { id });
      return entered;
    });
  }

  /**
   * Ends the sessions of a person, except for one. In the same transaction, `change` runs before, with the person locked, and `last` after all:
   * passkeys and tokens are locked last (see `AccessChanges`).
   */
  async endOf(
    person: { id: string; tenants: readonly string[] },
    except: string | null,
    { change, last }: { change: Work; last: Work },
  ): Promise<void> {
    const work = async (transaction: Transaction) => {
      const entered = await lockedTenants(transaction, person);
      await change(transaction);
      await transaction.withoutTenants(END_SESSIONS_OF, { personId: person.id, except });
      return entered;
    };
    await this.along(person.tenants, work, last);
  }

  /**
   * Runs the work in a transaction of the first tenant. It returns the tenants that sessions which have ended may enter, undefined if none has: in
   * these, in one order, the end is announced. Then runs `last`. Does nothing without a tenant that is configured.
   */
  async along(
    tenants: readonly string[],
    work: (transaction: Transaction) => Promise<readonly string[] | undefined>,
    last?: Work,
  ): Promise<void> {
    const [first] = this.entered.configured(tenants);
    if (first === undefined) return;
    const haveEnded = await this.database.transaction(first, async (transaction) => {
      const entered = await work(transaction);
      for (const tenantId of this.entered.configured(entered ?? []))
        await transaction.query(tenantId, ANNOUNCE_ENDED_SESSIONS, {});
      await last?.(transaction);
      return entered !== undefined;
    });
    if (haveEnded) await this.watch.changed();
  }

  private async tenantsOf(personId: string): Promise<readonly string[]> {
    const [person] = await this.database.withoutTenants(FIND_PERSON, { id: personId });
    return person?.tenants ?? [];
  }
}

/** Locks the person. Returns the tenants of now: the person may have joined another one since they were read. */
async function lockedTenants(
  transaction: Transaction,
  { id, tenants }: { id: string; tenants: readonly string[] },
): Promise<readonly string[]> {
  const [person] = await transaction.withoutTenants(LOCK_PERSON, { id });
  return person?.tenants ?? tenants;
}
