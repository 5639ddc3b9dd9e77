import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { FailedAuthentications } from '../../access/failed-authentications.js';
import { SessionCookie } from '../../access/session-cookie.js';
import { Database } from '../../database/database.js';
import { Problem } from '../../errors/problem.js';
import { JsonText } from '../../http/http-adapter.js';
import { useChallenge } from '../one-time-tokens.js';
import { type Assertion, readAssertion } from './passkey-answers.js';
import { userHandleOf } from './new-passkey.js';
import { Passkeys } from './passkeys.js';
import { FIND_PASSKEY, USE_PASSKEY } from './passkeys.sql.js';

/** Signs in with passkeys. Nobody can guess one, so failures count for the address alone, and a valid one always enters. */
@Injectable()
export class PasskeySignIn {
  constructor(
    private readonly database: Database,
    private readonly passkeys: Passkeys,
    private readonly failures: FailedAuthentications,
    private readonly cookie: SessionCookie,
  ) {}

  /** Returns the options of `startAuthentication`. */
  async options(request: Request): Promise<JsonText> {
    this.cookie.assertOwnOrigin(request, false);
    return optionsAnswer(await this.passkeys.requestOptions());
  }

  /** Returns the person and the passkey, by their UUIDs. Throws a 401 for whatever is not valid, a 409 if passkeys are not offered, and a 422 for another value. */
  async verify(request: Request, value: unknown): Promise<{ personId: string; proof: { passkey: string } }> {
    this.passkeys.assertOffered();
    const passkey = await this.verified(readAssertion(value));
    if (passkey) return { personId: passkey.personId, proof: { passkey: passkey.id } };
    await this.failures.record(request);
    throw Problem.notSignedIn('The passkey is unknown, or its answer is not valid. Try again.');
  }

  private async verified(assertion: Assertion): Promise<{ id: string; personId: string } | undefined> {
    const [passkey] = await this.database.withoutTenants(FIND_PASSKEY, { credentialId: assertion.id });
    if (!passkey) return undefined;
    const { id, personId, credentialId, counter } = passkey;
    const publicKey = Buffer.from(passkey.publicKey, 'base64');
    const userHandle = userHandleOf(personId);
    const result = await this.passkeys.verifyRequest(assertion, { credentialId, publicKey, counter, userHandle });
    if (!result) return undefined;
    const { hash, expiresAt } = result.challenge;
    if (!(await useChallenge(this.database, hash.toString('base64'), expiresAt))) return undefined;
    const used = await this.database.withoutTenants(USE_PASSKEY, { id, counter: result.counter });
    return used.length > 0 ? { id, personId } : undefined;
  }
}

/** Options hold a challenge, so no cache may keep them. */
export function optionsAnswer(options: object): JsonText {
  return new JsonText(JSON.stringify({ data: options }), { 'Cache-Control': 'no-store' });
}
