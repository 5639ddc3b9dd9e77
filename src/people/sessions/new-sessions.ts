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
import type { SessionDto } from './sessions.dto.js';
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
    const opened = await this.open(request, who);
    if (!opened) throw new Problem('forbidden', 'You cannot sign in here.');
    const headers = { 'Set-Cookie': opened.cookie, 'Cache-Control': 'no-store' };
    return new JsonText(JSON.stringify({ data: opened.session }), headers, 201);
  }

  /** Begins a session, and returns it with the `Set-Cookie` header; undefined if there is nowhere to go. */
  async open(request: Request, who: SigningIn): Promise<{ session: SessionDto; cookie: string } | undefined> {
    const id = newUuid();
    const createdAt = timeOf(id).getTime();
    const session: OpenSession = { id, ...who, createdAt, lastSeenAt: createdAt };
    const holder = await this.holders.of(session);
    if (!holder) return undefined;
    const token = newSecretText('tvs_');
    await this.store(session, token, request.headers['user-agent']);
    // A provider is believed about its tenants only, so it does not say from where somebody tries their password.
    if (who.personId !== undefined && who.provider === undefined) {
      await this.database.withoutTenants(NOTE_NETWORK, { personId: who.personId, network: networkOf(request) });
    }
    return { session: presentSession(session, holder), cookie: this.cookie.begin(token) };
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
