import { Injectable } from '@nestjs/common';
import { configuredKeys } from '../access/configured-keys.js';
import { allowsLocales } from '../access/locale-rights.js';
import type { Rights } from '../access/usable-key.js';
import { Config } from '../config/config.js';
import { covers } from '../config/scopes.js';
import type { Transaction } from '../database/transaction.js';
import { Problem } from '../errors/problem.js';
import type { Caller } from '../http/caller.js';
import { parseId } from '../ids/type-id.js';
import { KeyScopes } from '../keys/key-scopes.js';
import { rightsNow } from '../keys/key-rights.js';
import { GET_RIGHTS } from '../keys/keys.sql.js';
import { roleOf } from './members/member-role.js';
import { FIND_JOINED_MEMBER } from './members/members.sql.js';

/** What somebody may do: the scopes, with content types by their IDs, and the locales whose values they may change (undefined: all). */
export interface RoleRights {
  readonly scopes: ReadonlySet<string>;
  readonly locales?: ReadonlySet<string>;
}

/** Whether the role allows nothing beyond the rights, so that who has these may give it, and change who has it. */
export function allows(rights: RoleRights, role: { scopes: readonly string[]; locales?: readonly string[] }): boolean {
  return role.scopes.every((scope) => covers(rights.scopes, scope)) && allowsLocales(rights.locales, role);
}

function rightsOf({ scopes, locales }: Rights): RoleRights {
  return { scopes: new Set(scopes), locales: locales && new Set(locales) };
}

/** What callers may do at the moment of a change. */
@Injectable()
export class CallerRights {
  private readonly configured: ReadonlySet<string>;

  constructor(
    { tenants }: Config,
    private readonly scopes: KeyScopes,
  ) {
    this.configured = new Set(
      tenants.flatMap((tenant) => configuredKeys(tenant).map(({ id }) => `${tenant.id} ${id}`)),
    );
  }

  /** The rights with which the request was admitted. Asked for before a transaction, because it takes queries of its own. */
  async admitted(caller: Caller): Promise<RoleRights> {
    return { scopes: await this.scopes.own(caller), locales: caller.locales };
  }

  /**
   * The rights as they are under the access lock. Throws a 401 if the key or the membership ended since the request was admitted: what it
   * would give would outlive it.
   */
  async current(
    transaction: Transaction,
    { tenantId, actorId = '' }: Caller,
    admitted: RoleRights,
  ): Promise<RoleRights> {
    const memberId = parseId('usr', actorId);
    if (memberId !== undefined) {
      const [member] = await transaction.query(tenantId, FIND_JOINED_MEMBER, { id: memberId });
      if (!member) throw Problem.notSignedIn('The membership has ended.');
      return rightsOf(roleOf(member));
    }
    const keyId = parseId('key', actorId) ?? '';
    if (this.configured.has(`${tenantId} ${keyId}`)) return admitted;
    const [key] = await transaction.query(tenantId, GET_RIGHTS, { id: keyId });
    if (!key) throw Problem.notSignedIn('This API key was revoked.');
    return rightsOf(rightsNow(key));
  }
}
