import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transaction.js';
import type { OpenSession } from '../../http/open-session.js';
import { ANNOUNCE_ENDED_SESSIONS } from '../../keys/access-changes.sql.js';
import { AccessWatch } from '../../keys/access-watch.js';
import { FIND_PERSON } from '../people.sql.js';
import { EnteredTenants } from './entered-tenants.js';
import { END_SESSION, END_SESSIONS_OF } from './sessions.sql.js';

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
    await this.announced(tenants, async (transaction) => {
      await transaction.withoutTenants(END_SESSION, { id });
    });
  }

  /** Ends the sessions of a person, except for one. `change` runs in the same transaction, before. */
  async endOf(
    person: { id: string; tenants: readonly string[] },
    except: string | null,
    change: (transaction: Transaction) => Promise<void>,
  ): Promise<void> {
    await this.announced(person.tenants, async (transaction) => {
      await change(transaction);
      await transaction.withoutTenants(END_SESSIONS_OF, { personId: person.id, except });
    });
  }

  /** Runs the work in a transaction of the first tenant, and announces in all of them, in one order, that sessions have ended. */
  private async announced(
    tenants: readonly string[],
    work: (transaction: Transaction) => Promise<void>,
  ): Promise<void> {
    const configured = this.entered.configured(tenants);
    const [first] = configured;
    if (first === undefined) return;
    await this.database.transaction(first, async (transaction) => {
      await work(transaction);
      for (const tenantId of configured) await transaction.query(tenantId, ANNOUNCE_ENDED_SESSIONS, {});
    });
    await this.watch.changed();
  }

  private async tenantsOf(personId: string): Promise<readonly string[]> {
    const [person] = await this.database.withoutTenants(FIND_PERSON, { id: personId });
    return person?.tenants ?? [];
  }
}
