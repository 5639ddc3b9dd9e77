import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Database } from '../../database/database.js';
import { Problem } from '../../errors/problem.js';
import { clientAddress } from '../../http/client-address.js';
import type { Query } from '../../http/query.js';
import { useChallenge } from '../one-time-tokens.js';
import { NewSessions } from '../sessions/new-sessions.js';
import type { OidcIdentity } from './identity.js';
import { providedIdentity } from './provided-identity.js';
import { ExpiredFlow, OidcProviders } from './oidc-providers.js';
import { ProvidedMemberships } from './provided-memberships.js';
import { Overtaken, ProviderPeople } from './provider-people.js';

/** Two first sign-ins of a person may overtake each other once. */
const ATTEMPTS = 4;

/** Signs in whom a provider of OpenID Connect says that it has signed in. */
@Injectable()
export class ProviderSignIn {
  constructor(
    private readonly database: Database,
    private readonly providers: OidcProviders,
    private readonly people: ProviderPeople,
    private readonly memberships: ProvidedMemberships,
    private readonly sessions: NewSessions,
  ) {}

  /**
   * Ends a flow, and returns the `Set-Cookie` header of a session that enters the tenants that the provider serves, and the page to go on with. Throws
   * a 401 if signing in failed, a 403 for who has no membership there or if a tenant has enough members, and a 503 if the provider does not answer.
   */
  async run(
    request: Request,
    providerId: string,
    { query, sealedState }: { query: Query; sealedState: string | undefined },
  ): Promise<{ cookie: string; returnTo: string }> {
    const address = clientAddress(request);
    const finished = await this.providers.finish(providerId, `?${textOf(query)}`, sealedState, address);
    // After the provider has answered: otherwise strangers could fill the table.
    const isFirst = await useChallenge(this.database, finished.hash.toString('base64'), finished.expiresAt);
    if (!isFirst) throw new ExpiredFlow();
    const { personId, refusal } = await this.follow(request, providerId, finished.identity);
    const opened = await this.sessions.open(request, { personId, provider: providerId });
    if (!opened)
      throw (
        refusal ?? new Problem('forbidden', 'You are not a member of a tenant that you could enter by this provider.')
      );
    return { cookie: opened.cookie, returnTo: finished.returnTo };
  }

  private async follow(
    request: Request,
    providerId: string,
    identity: OidcIdentity,
  ): Promise<{ personId: string; refusal: Problem | undefined }> {
    const known = providedIdentity(identity);
    const roles = this.providers.rolesOf(providerId, identity);
    const tenantIds = roles.map(({ tenantId }) => tenantId);
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      try {
        const found = await this.people.find(known, tenantIds);
        const comer = { ...found, providerId, identity: known, request };
        const refusal = await this.memberships.follow(comer, roles);
        return { personId: found.person.id, refusal };
      } catch (error) {
        if (!(error instanceof Overtaken)) throw error;
      }
    }
    throw Problem.unavailable('The member is being changed. Try again.');
  }
}

function textOf(query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, values] of Object.entries(query)) {
    for (const value of [values].flat()) parameters.append(name, value);
  }
  return parameters.toString();
}
