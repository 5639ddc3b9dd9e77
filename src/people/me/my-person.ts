import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transaction.js';
import { Problem } from '../../errors/problem.js';
import type { OpenSession } from '../../http/open-session.js';
import { FIND_PERSON, LOCK_PERSON, type PersonRow } from '../people.sql.js';
import { EnteredTenants } from '../sessions/entered-tenants.js';
import { IS_OPEN } from '../sessions/sessions.sql.js';

/** The person of a session. */
@Injectable()
export class MyPerson {
  constructor(
    private readonly database: Database,
    private readonly entered: EnteredTenants,
  ) {}

  /** Throws a 401 if the person is gone. */
  async of({ personId = '' }: OpenSession): Promise<PersonRow> {
    const [person] = await this.database.withoutTenants(FIND_PERSON, { id: personId });
    if (!person) throw hasEnded();
    return person;
  }

  /** The configured tenants of the person that the session enters, in the order in which they are locked. */
  tenantsOf({ provider }: OpenSession, { tenants }: PersonRow): string[] {
    return this.configuredOf({ tenants }).filter((id) => this.entered.allows(provider, id));
  }

  /** The configured tenants of the person, in the order in which they are locked. */
  configuredOf({ tenants }: Pick<PersonRow, 'tenants'>): string[] {
    return this.entered.configured(tenants);
  }

  /** Runs the work in a transaction. */
  async change(person: PersonRow, work: (transaction: Transaction) => Promise<void>): Promise<void> {
    const [first] = this.configuredOf(person);
    if (first !== undefined) await this.database.transaction(first, work);
  }
}

/**
 * Locks the person of a session, under whose lock sessions end. Throws a 401 if it has ended since the request was admitted: whoever ended it does
 * not want it to change anything.
 */
export async function lockPersonOf(
  transaction: Transaction,
  { id, personId = '' }: Pick<OpenSession, 'id' | 'personId'>,
): Promise<PersonRow> {
  const [person] = await transaction.withoutTenants(LOCK_PERSON, { id: personId });
  if (!person || (await transaction.withoutTenants(IS_OPEN, { id })).length === 0) throw hasEnded();
  return person;
}

function hasEnded(): Problem {
  return Problem.notSignedIn('The session has ended. Sign in again.');
}

/**
 * Throws a 403 for a session that a provider began. A provider speaks for the tenants that it serves, and a password or a passkey would enter all
 * tenants of the person, now and later.
 */
export function assertOwnCredentials({ provider }: OpenSession): void {
  if (provider === undefined) return;
  throw new Problem(
    'forbidden',
    'This session was begun by a provider. Sign in with a password or a passkey to see and change how you sign in.',
  );
}
