import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transaction.js';
import type { OpenSession } from '../../http/open-session.js';
import { ANNOUNCE_ENDED_SESSIONS } from '../../keys/access-changes.sql.js';
import { AccessWatch } from '../../keys/access-watch.js';
import { FIND_PERSON } from '../people.sql.js';
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
      await transaction.withoutTenants(END_SESSION, { id });
      return true;
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
      await change(transaction);
      await transaction.withoutTenants(END_SESSIONS_OF, { personId: person.id, except });
      return true;
    };
    await this.along(person.tenants, work, last);
  }

  /**
   * Runs the work in a transaction of the first tenant. If it returns true, announces in all of them, in one order, that sessions have ended. Then
   * runs `last`. Does nothing without a tenant that is configured.
   */
  async along(
    tenants: readonly string[],
    work: (transaction: Transaction) => Promise<boolean>,
    last?: Work,
  ): Promise<void> {
    const configured = this.entered.configured(tenants);
    const [first] = configured;
    if (first === undefined) return;
    const haveEnded = await this.database.transaction(first, async (transaction) => {
      const isEnd = await work(transaction);
      if (isEnd) for (const tenantId of configured) await transaction.query(tenantId, ANNOUNCE_ENDED_SESSIONS, {});
      await last?.(transaction);
      return isEnd;
    });
    if (haveEnded) await this.watch.changed();
  }

  private async tenantsOf(personId: string): Promise<readonly string[]> {
    const [person] = await this.database.withoutTenants(FIND_PERSON, { id: personId });
    return person?.tenants ?? [];
  }
}
