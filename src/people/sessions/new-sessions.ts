import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { hashOfSecret, newSecretText } from '../../access/secret-text.js';
import { SessionCookie } from '../../access/session-cookie.js';
import { Database } from '../../database/database.js';
import { Problem } from '../../errors/problem.js';
import { clientAddress } from '../../http/client-address.js';
import { JsonText } from '../../http/http-adapter.js';
import type { OpenSession } from '../../http/open-session.js';
import { hashedUuid } from '../../ids/hashed-uuid.js';
import { newUuid, timeOf } from '../../ids/type-id.js';
import { NOTE_NETWORK } from '../people.sql.js';
import { browserName } from './browser-name.js';
import { SessionHolders } from './session-holders.js';
import { presentSession } from './session-presenter.js';
import { INSERT_SESSION } from './sessions.sql.js';

/** Who signs in: a person, perhaps by an OpenID Connect provider, or an API key of a tenant. */
export type SigningIn = Pick<OpenSession, 'personId' | 'key' | 'provider'>;

/** Begins sessions. Each has a token of its own, so that nobody can prepare the session of somebody else. */
@Injectable()
export class NewSessions {
  constructor(
    private readonly database: Database,
    private readonly holders: SessionHolders,
    private readonly cookie: SessionCookie,
  ) {}

  /** Begins a session, and answers 201 with it and its cookie. Throws a 403 if there is nowhere to go. */
  async begin(request: Request, who: SigningIn): Promise<JsonText> {
    const id = newUuid();
    const createdAt = timeOf(id).getTime();
    const session: OpenSession = { id, ...who, createdAt, lastSeenAt: createdAt };
    const holder = await this.holders.of(session);
    if (!holder) throw new Problem('forbidden', 'You cannot sign in here.');
    const token = newSecretText('tvs_');
    await this.store(session, token, request.headers['user-agent']);
    if (who.personId !== undefined) {
      await this.database.withoutTenants(NOTE_NETWORK, { personId: who.personId, network: networkOf(request) });
    }
    return new JsonText(
      JSON.stringify({ data: presentSession(session, holder) }),
      { 'Set-Cookie': this.cookie.begin(token), 'Cache-Control': 'no-store' },
      201,
    );
  }

  private async store(
    { id, personId, key, provider }: OpenSession,
    token: string,
    userAgent: string | undefined,
  ): Promise<void> {
    await this.database.withoutTenants(INSERT_SESSION, {
      id,
      hash: hashOfSecret(token),
      personId: personId ?? null,
      tenant: key?.tenantId ?? null,
      keyId: key?.id ?? null,
      provider: provider ?? null,
      browser: browserName(userAgent),
    });
  }
}

/** The network of a client, as it is remembered. */
export function networkOf(request: Request): string {
  return hashedUuid(`network ${clientAddress(request)}`);
}
