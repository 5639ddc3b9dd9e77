import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { hashOfSecret, newSecretText } from '../../access/secrets/secret-text.js';
import { SessionCookie } from '../../access/session-cookie.js';
import type { Transaction } from '../../database/transaction.js';
import { Problem } from '../../errors/problem.js';
import { clientAddress } from '../../http/client-address.js';
import { JsonText } from '../../http/http-adapter.js';
import type { OpenSession } from '../../http/open-session.js';
import { hashedUuid } from '../../ids/hashed-uuid.js';
import { newUuid, timeOf } from '../../ids/type-id.js';
import { LIST_PASSKEYS } from '../passkeys/passkeys.sql.js';
import { LOCK_PERSON, NOTE_NETWORK, type PersonRow } from '../people.sql.js';
import { browserName } from './browser-name.js';
import { EndedSessions } from './ended-sessions.js';
import { SessionHolders } from './session-holders.js';
import { presentSession } from './session-presenter.js';
import type { SessionDto } from './sessions.dto.js';
import { INSERT_SESSION, IS_OPEN } from './sessions.sql.js';

/**
 * What has shown who a person is, and must still be theirs when the session begins: the hash of the password (null: none), the UUID of a passkey, or
 * that of another session.
 */
type Proof = { readonly password: string | null } | { readonly passkey: string } | { readonly session: string };

/** Who signs in: a person, perhaps by an OpenID Connect provider, or an API key of a tenant. */
export interface SigningIn extends Pick<OpenSession, 'personId' | 'key' | 'provider'> {
  /** Absent for a provider and a key. A key is asked for with each request of its session. */
  readonly proof?: Proof;
}

/** Begins sessions. Each has a token of its own, so that nobody can prepare the session of somebody else. */
@Injectable()
export class NewSessions {
  constructor(
    private readonly holders: SessionHolders,
    private readonly cookie: SessionCookie,
    private readonly ended: EndedSessions,
  ) {}

  /** Begins a session, and answers 201 with it and its cookie. Throws a 403 if there is nowhere to go. */
  async begin(request: Request, who: SigningIn): Promise<JsonText> {
    const opened = await this.open(request, who);
    if (!opened) throw new Problem('forbidden', 'You cannot sign in here.');
    const headers = { 'Set-Cookie': opened.cookie, 'Cache-Control': 'no-store' };
    return new JsonText(JSON.stringify({ data: opened.session }), headers, 201);
  }

  /**
   * Begins a session, and returns it with the `Set-Cookie` header; undefined if there is nowhere to go. Throws a 401 if what has shown who the
   * person is was changed meanwhile: that has ended all sessions, and this one must not outlive them.
   */
  async open(
    request: Request,
    { proof, ...who }: SigningIn,
  ): Promise<{ session: SessionDto; cookie: string } | undefined> {
    const id = newUuid();
    const createdAt = timeOf(id).getTime();
    const session: OpenSession = { id, ...who, createdAt, lastSeenAt: createdAt };
    const holder = await this.holders.of(session);
    if (!holder) return undefined;
    const token = newSecretText('tvs_');
    const tenants = 'key' in holder ? [holder.tenant.id] : holder.person.tenants;
    let isBegun = false;
    await this.ended.along(tenants, async (transaction) => {
      const person = who.personId === undefined ? undefined : await holdPerson(transaction, who.personId, proof);
      if (who.personId !== undefined && !person) return undefined;
      isBegun = true;
      const haveEnded = await store(transaction, session, token, request.headers['user-agent']);
      // A provider is believed about its tenants only, so it does not say from where somebody tries their password.
      if (who.personId !== undefined && who.provider === undefined) {
        await transaction.withoutTenants(NOTE_NETWORK, { personId: who.personId, network: networkOf(request) });
      }
      return haveEnded ? (person?.tenants ?? tenants) : undefined;
    });
    return isBegun ? { session: presentSession(session, holder), cookie: this.cookie.begin(token) } : undefined;
  }
}

/**
 * Locks the person, under whose lock passwords, passkeys and sessions change. Returns undefined if the person was erased, and throws a 401 if the
 * proof is not good any more.
 */
async function holdPerson(
  transaction: Transaction,
  id: string,
  proof: Proof | undefined,
): Promise<PersonRow | undefined> {
  const [person] = await transaction.withoutTenants(LOCK_PERSON, { id });
  if (person && proof && !(await isGood(transaction, person, proof))) {
    throw Problem.notSignedIn('How you sign in was changed at the same time. Sign in again.');
  }
  return person;
}

async function isGood(transaction: Transaction, { id: personId, password }: PersonRow, proof: Proof): Promise<boolean> {
  if ('password' in proof) return proof.password === password;
  if ('session' in proof) return (await transaction.withoutTenants(IS_OPEN, { id: proof.session })).length > 0;
  const passkeys = await transaction.withoutTenants(LIST_PASSKEYS, { personId });
  return passkeys.some(({ id }) => id === proof.passkey);
}

/** Returns whether older sessions have ended, because there were too many. */
async function store(
  transaction: Transaction,
  { id, personId, key, provider }: OpenSession,
  token: string,
  userAgent: string | undefined,
): Promise<boolean> {
  const [stored] = await transaction.withoutTenants(INSERT_SESSION, {
    id,
    hash: hashOfSecret(token),
    personId: personId ?? null,
    tenant: key?.tenantId ?? null,
    keyId: key?.id ?? null,
    provider: provider ?? null,
    browser: browserName(userAgent),
  });
  return (stored?.beyond ?? 0) > 0;
}

/** The network of a client, as it is remembered. */
export function networkOf(request: Request): string {
  return hashedUuid(`network ${clientAddress(request)}`);
}
