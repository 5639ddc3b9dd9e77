import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { canonicalEmail } from '../../fields/formats/email.js';
import { newUuid } from '../../ids/type-id.js';
import { FIND_PERSON, LOCK_PERSON, type PersonRow } from '../people.sql.js';
import { DELETE_OTHER_IDENTITIES, FIND_IDENTITY, PUT_IDENTITY } from './identities.sql.js';
import type { ProvidedIdentity } from './provided-identity.js';
import { OidcProviders } from './oidc-providers.js';
import { FIND_PROVIDED_MEMBERS } from './provided-members.sql.js';

/** A person whom a provider has signed in. */
export interface ProvidedPerson {
  person: PersonRow;
  /** Whether the person is in the database. If not, the first membership writes them. */
  isStored: boolean;
  /** Whom the identity belonged to, if it is not the person's yet. */
  before: string | null;
}

/** Somebody else changed the person or the membership meanwhile: the sign-in begins again. */
export class Overtaken extends Error {
  override readonly name = 'Overtaken';
}

/**
 * Finds the person whom a provider means. A provider is believed about the tenants that it serves, and about nobody else: a person is found only
 * through a membership there, whatever address the provider asserts. Who has none is a new person, whose address is nobody's: neither an
 * invitation elsewhere nor a password reset leads to them, and they take nobody's place.
 */
@Injectable()
export class ProviderPeople {
  constructor(
    private readonly database: Database,
    private readonly providers: OidcProviders,
  ) {}

  /** Throws `Overtaken` if the membership by which the person was found has ended meanwhile. */
  async find(identity: ProvidedIdentity, tenantIds: readonly string[]): Promise<ProvidedPerson> {
    const { issuer, subject } = identity;
    const [known] = await this.database.withoutTenants(FIND_IDENTITY, { issuer, subject });
    const before = known?.personId ?? null;
    const [linked] = before === null ? [] : await this.database.withoutTenants(FIND_PERSON, { id: before });
    const served = this.providers.servedBy(issuer);
    // Who has left these tenants is a stranger to the provider again.
    if (linked?.tenants.some((id) => served.has(id))) return { person: linked, isStored: true, before };
    return (await this.findByEmail(identity, tenantIds, before)) ?? { ...newPerson(identity), before };
  }

  private async findByEmail(
    identity: ProvidedIdentity,
    tenantIds: readonly string[],
    before: string | null,
  ): Promise<ProvidedPerson | undefined> {
    if (identity.email === undefined) return undefined;
    const address = canonicalEmail(identity.email);
    for (const tenantId of tenantIds) {
      const [member] = await this.database.query(tenantId, FIND_PROVIDED_MEMBERS, { personId: null, address });
      if (member && member.personId !== null) {
        return this.link(identity, { tenantId, address, personId: member.personId, before });
      }
    }
    return undefined;
  }

  /** Memberships end under the lock of the person, so this one does not end meanwhile. */
  private async link(
    { issuer, subject }: ProvidedIdentity,
    {
      tenantId,
      address,
      personId,
      before,
    }: { tenantId: string; address: string; personId: string; before: string | null },
  ): Promise<ProvidedPerson> {
    return this.database.transaction(tenantId, async (transaction) => {
      const [person] = await transaction.withoutTenants(LOCK_PERSON, { id: personId });
      const [member] = await transaction.query(tenantId, FIND_PROVIDED_MEMBERS, { personId: null, address });
      if (!person || member?.personId !== personId) throw new Overtaken();
      await transaction.withoutTenants(DELETE_OTHER_IDENTITIES, { issuer, subject, personId });
      const put = await transaction.withoutTenants(PUT_IDENTITY, { issuer, subject, personId, before });
      if (put.length === 0) throw new Overtaken();
      return { person, isStored: true, before: personId };
    });
  }
}

function newPerson({ email = '', name }: ProvidedIdentity): Pick<ProvidedPerson, 'person' | 'isStored'> {
  const id = newUuid();
  return {
    person: { id, address: noAddress(id), email, name, password: null, tenants: [] },
    isStored: false,
  };
}

/** Stands in the place of an address, and is that of nobody: addresses are compared in lower case. */
export function noAddress(personId: string): string {
  return `OIDC ${personId}`;
}
