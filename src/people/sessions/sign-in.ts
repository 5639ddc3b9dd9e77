import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { ApiKeys } from '../../access/api-keys.js';
import { FailedAuthentications } from '../../access/failed-authentications.js';
import { Database } from '../../database/database.js';
import { Problem } from '../../errors/problem.js';
import { canonicalEmail } from '../../fields/formats/email.js';
import { clientAddress } from '../../http/client-address.js';
import type { JsonText } from '../../http/http-adapter.js';
import { parseId } from '../../ids/type-id.js';
import { takeToken } from '../one-time-tokens.js';
import { PasskeySignIn } from '../passkeys/passkey-sign-in.js';
import { Passwords } from '../passwords/passwords.js';
import { FIND_PERSON_BY_ADDRESS } from '../people.sql.js';
import { Guessing } from './guessing.js';
import { NewSessions, type SigningIn } from './new-sessions.js';
import type { SignInDto } from './sessions.dto.js';

/** Signs in with a password, an API key, a sign-in link or a passkey. */
@Injectable()
export class SignIn {
  constructor(
    private readonly database: Database,
    private readonly keys: ApiKeys,
    private readonly passwords: Passwords,
    private readonly guessing: Guessing,
    private readonly failures: FailedAuthentications,
    private readonly passkeys: PasskeySignIn,
    private readonly sessions: NewSessions,
  ) {}

  /**
   * Begins the session of who proves who they are. Throws a 401 for a wrong password, key or passkey, which tells nothing about the account, a 404 for a
   * token that is not good, and a 429 after too many failures.
   */
  async run(request: Request, body: SignInDto): Promise<JsonText> {
    return this.sessions.begin(request, await this.who(request, body));
  }

  private async who(request: Request, body: SignInDto): Promise<SigningIn> {
    const { email, password, key, token, passkey } = body;
    if (email !== undefined && password !== undefined) return this.byPassword(request, email, password);
    if (key !== undefined) return this.byKey(request, key);
    if (passkey !== undefined) return this.passkeys.verify(request, passkey);
    return this.byLink(request, token ?? '');
  }

  /** The same steps in the same time, whether there is such a person or not. */
  private async byPassword(request: Request, email: string, password: string): Promise<SigningIn> {
    const address = canonicalEmail(email);
    const guess = await this.guessing.enter(request, address);
    const [person] = await this.database.withoutTenants(FIND_PERSON_BY_ADDRESS, { address });
    const client = guess.isKnownNetwork ? { account: address } : { stranger: clientAddress(request) };
    const isRight = await this.passwords.verify(person?.password ?? undefined, password, client, guess);
    if (isRight && person) return { personId: person.id, proof: { password: person.password } };
    throw Problem.notSignedIn('The email address or the password is wrong.');
  }

  private async byKey(request: Request, text: string): Promise<SigningIn> {
    const known = await this.keys.find(text);
    if (known) return { key: { tenantId: known.caller.tenantId, id: known.id } };
    await this.failures.record(request);
    throw Problem.notSignedIn('This API key is unknown. It may have expired, or it was revoked or removed.');
  }

  private async byLink(request: Request, token: string): Promise<SigningIn> {
    const [tenantId = '', keyId = ''] = (await takeToken(this.database, 'link', token))?.split(' ') ?? [];
    const id = parseId('key', keyId);
    if (id !== undefined) return { key: { tenantId, id } };
    await this.failures.record(request);
    throw Problem.notFound('sign-in link', 'It is good once, for an hour.');
  }
}
