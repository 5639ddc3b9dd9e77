import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { SessionCookie } from '../../access/session-cookie.js';
import { Database } from '../../database/database.js';
import { Problem, type ValueError } from '../../errors/problem.js';
import type { JsonText } from '../../http/http-adapter.js';
import { hashedUuid } from '../../ids/hashed-uuid.js';
import { type CheckedPasskey, userHandleOf } from '../passkeys/new-passkey.js';
import { optionsAnswer } from '../passkeys/passkey-sign-in.js';
import { Passkeys } from '../passkeys/passkeys.js';
import { Passwords } from '../passwords/passwords.js';
import { FIND_PERSON_BY_ADDRESS, type PersonRow } from '../people.sql.js';
import { browserName } from '../sessions/browser-name.js';
import { Invitations, type OpenInvitation } from './invitations.js';
import type { AcceptInvitationDto } from './invitations.dto.js';

/** Somebody who accepts an invitation, and how they will sign in, checked. */
interface NewPerson {
  person: PersonRow;
  passkey?: CheckedPasskey;
}

/** Checks what somebody without an account chooses. */
@Injectable()
export class NewPeople {
  constructor(
    private readonly database: Database,
    private readonly invitations: Invitations,
    private readonly passwords: Passwords,
    private readonly passkeys: Passkeys,
    private readonly cookie: SessionCookie,
  ) {}

  /**
   * Returns the options of `startRegistration` for who will accept the invitation. Throws a 404 if the token is not good, and a 409 if the address
   * has an account or passkeys are not offered.
   */
  async options(request: Request, token: string): Promise<JsonText> {
    this.cookie.assertOwnOrigin(request, false);
    const { email, name, address } = (await this.invitations.open(token)).member;
    const known = await this.database.withoutTenants(FIND_PERSON_BY_ADDRESS, { address });
    if (known.length > 0) return this.refuseKnown(token);
    const invitation = personOf(token);
    const owner = { userHandle: userHandleOf(invitation), name: email, displayName: name === '' ? email : name };
    return optionsAnswer(await this.passkeys.creationOptions(owner, [], { invitation }));
  }

  /** Throws a 422 if the name is missing, if neither a password nor a passkey is sent, or for one that is refused. */
  async check(
    request: Request,
    token: string,
    { tenant, member }: OpenInvitation,
    { name, password, passkey, passkey_name: passkeyName }: AcceptInvitationDto,
  ): Promise<NewPerson> {
    const { address, email } = member;
    const known = { id: personOf(token), address, email, tenants: [tenant.id] };
    const errors = wrongAmong({ name, password, passkey });
    if (name === undefined || errors.length > 0) throw Problem.invalid(errors);
    if (passkey === undefined) {
      const hash = await this.hash(password ?? '', { email, name }, address);
      return { person: { ...known, name, password: hash } };
    }
    const checked = await this.passkeys.verifyCreation(passkey, { invitation: known.id });
    const called = passkeyName ?? browserName(request.headers['user-agent']);
    return { person: { ...known, name, password: null }, passkey: { ...checked, name: called } };
  }

  /** Throws a 409 because the address has an account; a 404 if it has one because this invitation was accepted at the same time. */
  async refuseKnown(token: string): Promise<never> {
    await this.invitations.open(token);
    throw new Problem('conflict', 'This address has an account. Sign in, and accept the invitation without a body.');
  }

  private async hash(password: string, owner: { email: string; name: string }, account: string): Promise<string> {
    const refusal = await this.passwords.refusalOf(password, owner);
    if (refusal !== undefined) throw Problem.invalid([{ path: 'password', code: 'format', message: refusal }]);
    return this.passwords.hash(password, { account });
  }
}

/** The person's ID follows from the token, because a passkey has it before the person is stored. */
function personOf(token: string): string {
  return hashedUuid(`person of ${token}`);
}

function wrongAmong({ name, password, passkey }: AcceptInvitationDto): ValueError[] {
  const errors: ValueError[] = [];
  if (name === undefined) errors.push({ path: 'name', code: 'required', message: 'name is required.' });
  if (password === undefined && passkey === undefined)
    errors.push({ path: 'password', code: 'required', message: 'password or passkey is required.' });
  if (password !== undefined && passkey !== undefined)
    errors.push({ path: 'passkey', code: 'format', message: 'passkey must not be sent with a password.' });
  return errors;
}
