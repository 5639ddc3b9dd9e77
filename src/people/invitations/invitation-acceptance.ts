import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { SessionCookie } from '../../access/session-cookie.js';
import { Sessions } from '../../access/sessions.js';
import { recordChanges } from '../../audit/record-changes.js';
import { Config } from '../../config/config.js';
import { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transaction.js';
import { Problem } from '../../errors/problem.js';
import { clientAddress, wholeAddress } from '../../http/client-address.js';
import { JsonText } from '../../http/http-adapter.js';
import type { OpenSession } from '../../http/open-session.js';
import { formatId } from '../../ids/type-id.js';
import { AccessChanges } from '../access-changes.js';
import { lockPersonOf } from '../me/my-person.js';
import { JOIN_MEMBER } from '../members/members.sql.js';
import { takeToken } from '../one-time-tokens.js';
import { type CheckedPasskey, storePasskey } from '../passkeys/new-passkey.js';
import { FIND_PERSON_BY_ADDRESS, INSERT_PERSON, type PersonRow, SET_TENANTS } from '../people.sql.js';
import { EnteredTenants } from '../sessions/entered-tenants.js';
import { NewSessions, type SigningIn } from '../sessions/new-sessions.js';
import { Invitations, noInvitation, type OpenInvitation } from './invitations.js';
import type { AcceptInvitationDto, InvitationDto } from './invitations.dto.js';
import { NewPeople } from './new-person.js';

/** What a join needs besides the invitation. */
interface Joining {
  request: Request;
  token: string;
  person: { id: string; name: string };
  /** The first passkey of a new person. */
  passkey?: CheckedPasskey;
}

/** Shows invitations to those who have their tokens, and makes them members. */
@Injectable()
export class InvitationAcceptance {
  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly invitations: Invitations,
    private readonly newPeople: NewPeople,
    private readonly changes: AccessChanges,
    private readonly sessions: Sessions,
    private readonly newSessions: NewSessions,
    private readonly entered: EnteredTenants,
    private readonly cookie: SessionCookie,
  ) {}

  /** Throws a 404 if the token is not good. */
  async show(token: string): Promise<JsonText> {
    const { tenant, member } = await this.invitations.open(token);
    const { email, name, address } = member;
    const known = await this.personOf(address);
    const data: InvitationDto = {
      tenant: { id: tenant.id, name: tenant.name },
      email,
      ...(name !== '' && { name }),
      ...(known && { sign_in: true }),
    };
    return new JsonText(JSON.stringify({ data }), { 'Cache-Control': 'no-store' });
  }

  /**
   * Makes the person a member and begins a session. An address that belongs to somebody accepts only in a session of this person, because the
   * invitation would otherwise be a way to set a password. Throws a 404 if the token is not good.
   */
  async accept(request: Request, token: string, body: AcceptInvitationDto): Promise<JsonText> {
    this.cookie.assertOwnOrigin(request, false);
    const invitation = await this.invitations.open(token);
    const known = await this.personOf(invitation.member.address);
    const who = known
      ? await this.joinKnown(request, token, invitation, { known, body })
      : await this.joinNew(request, token, invitation, body);
    return this.newSessions.begin(request, who);
  }

  private async joinNew(
    request: Request,
    token: string,
    invitation: OpenInvitation,
    body: AcceptInvitationDto,
  ): Promise<SigningIn> {
    const { person, passkey } = await this.newPeople.check(request, token, invitation, body);
    const taken = new Error('The address belongs to somebody since.');
    const first = async (transaction: Transaction) => {
      if ((await transaction.withoutTenants(INSERT_PERSON, person)).length === 0) throw taken;
    };
    try {
      await this.join(invitation, { request, token, person, passkey }, first);
      return { personId: person.id, proof: { password: person.password } };
    } catch (error) {
      if (error !== taken) throw error;
      return this.newPeople.refuseKnown(token);
    }
  }

  private async joinKnown(
    request: Request,
    token: string,
    invitation: OpenInvitation,
    { known, body }: { known: PersonRow; body: AcceptInvitationDto },
  ): Promise<SigningIn> {
    if (Object.values(body).some((value) => value !== undefined)) return this.newPeople.refuseKnown(token);
    const tenantId = invitation.tenant.id;
    const session = await this.sessionOf(request);
    const { personId, provider } = session;
    if (personId !== known.id || !this.entered.allows(provider, tenantId)) {
      throw new Problem('forbidden', 'The invitation is for another address than that of this session.');
    }
    const joining = { request, token, person: { id: known.id, name: known.name } };
    const first = async (transaction: Transaction) => {
      const person = await lockPersonOf(transaction, session);
      joining.person.name = person.name;
      const tenants = [...new Set([...person.tenants, tenantId])];
      await transaction.withoutTenants(SET_TENANTS, { id: known.id, tenants });
    };
    await this.join(invitation, joining, first);
    return { personId: known.id, ...(provider !== undefined && { provider }), proof: { session: session.id } };
  }

  /** Throws a 401 without a session. */
  private async sessionOf(request: Request): Promise<OpenSession> {
    const cookie = this.cookie.read(request);
    const session = cookie === undefined ? undefined : await this.sessions.find(cookie, clientAddress(request));
    if (session) return session;
    throw Problem.notSignedIn('This address has an account. Sign in, and accept the invitation then.');
  }

  /** The token is used last: see the order of locks at `AccessChanges`. */
  private async join(
    { tenant, member }: OpenInvitation,
    { request, token, person, passkey }: Joining,
    first: (transaction: Transaction) => Promise<void>,
  ): Promise<void> {
    const { id, name } = person;
    const memberId = formatId('usr', member.id);
    const author = {
      actorId: memberId,
      name,
      requestId: request.id,
      ip: this.config.auditIp ? wholeAddress(request) : null,
    };
    const work = async (transaction: Transaction) => {
      const joined = await transaction.query(tenant.id, JOIN_MEMBER, { id: member.id, personId: id, name });
      if (joined.length === 0) throw noInvitation();
      const resource = { type: 'member', id: memberId };
      await recordChanges(transaction, tenant.id, author, [{ action: 'joined', resource }]);
      if (passkey) await storePasskey(transaction, id, passkey);
      if ((await takeToken(transaction, 'invitation', token)) === undefined) throw noInvitation();
    };
    await this.changes.run(tenant.id, work, { first });
  }

  private async personOf(address: string): Promise<PersonRow | undefined> {
    const [person] = await this.database.withoutTenants(FIND_PERSON_BY_ADDRESS, { address });
    return person;
  }
}
