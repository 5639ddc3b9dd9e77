import { Injectable } from '@nestjs/common';
import { ApiKeys } from '../../access/api-keys.js';
import { Config } from '../../config/config.js';
import type { TenantConfig } from '../../config/tenants-config.js';
import { Database } from '../../database/database.js';
import { Problem } from '../../errors/problem.js';
import type { OpenSession } from '../../http/open-session.js';
import { FIND_MEMBERSHIP, type Membership } from '../members/members.sql.js';
import { FIND_PERSON } from '../people.sql.js';
import { EnteredTenants } from './entered-tenants.js';
import type { SessionHolder } from './session-presenter.js';

/** Reads who has a session, and where it may go. */
@Injectable()
export class SessionHolders {
  private readonly tenants: ReadonlyMap<string, TenantConfig>;

  constructor(
    { tenants }: Config,
    private readonly database: Database,
    private readonly keys: ApiKeys,
    private readonly entered: EnteredTenants,
  ) {
    this.tenants = new Map(tenants.map((tenant) => [tenant.id, tenant]));
  }

  /** Returns undefined if the key or the person is gone. */
  async of({ key, personId, provider }: OpenSession): Promise<SessionHolder | undefined> {
    if (key) {
      const [known, tenant] = [await this.keys.findById(key.tenantId, key.id), this.tenants.get(key.tenantId)];
      return known && tenant && { key: known, tenant };
    }
    const [person] = personId === undefined ? [] : await this.database.withoutTenants(FIND_PERSON, { id: personId });
    if (!person) return undefined;
    const memberships = await this.memberships(person, provider);
    return memberships.length === 0 ? undefined : { person, memberships };
  }

  /** The memberships that a session of the person may use, oldest first. A tenant whose server is away is left out. */
  private async memberships(
    { id, tenants }: { id: string; tenants: readonly string[] },
    provider: string | undefined,
  ): Promise<{ tenant: TenantConfig; member: Membership }[]> {
    const found = await Promise.all(
      tenants.map(async (tenantId) => {
        const tenant = this.tenants.get(tenantId);
        if (!tenant || !this.entered.allows(provider, tenantId)) return [];
        const [member] = await this.database
          .query(tenantId, FIND_MEMBERSHIP, { personId: id })
          .catch((error: unknown) => (isUnavailable(error) ? [] : Promise.reject(error as Error)));
        return member ? [{ tenant, member }] : [];
      }),
    );
    return found.flat().sort((a, b) => (a.member.id < b.member.id ? -1 : 1));
  }
}

function isUnavailable(error: unknown): boolean {
  return error instanceof Problem && error.code === 'unavailable';
}
