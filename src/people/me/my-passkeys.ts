import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Config } from '../../config/config.js';
import { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transaction.js';
import { Problem } from '../../errors/problem.js';
import { JsonText } from '../../http/http-adapter.js';
import type { OpenSession } from '../../http/open-session.js';
import { formatId, timeOf } from '../../ids/type-id.js';
import { LIST_IDENTITIES } from '../oidc/identities.sql.js';
import { storePasskey, userHandleOf } from '../passkeys/new-passkey.js';
import { optionsAnswer } from '../passkeys/passkey-sign-in.js';
import type { CreatePasskeyDto, PasskeyDto } from '../passkeys/passkeys.dto.js';
import { Passkeys } from '../passkeys/passkeys.js';
import { DELETE_PASSKEY, LIST_PASSKEYS, type PasskeyRow } from '../passkeys/passkeys.sql.js';
import type { PersonRow } from '../people.sql.js';
import { browserName } from '../sessions/browser-name.js';
import { EndedSessions } from '../sessions/ended-sessions.js';
import { assertOwnCredentials, lockPersonOf, MyPerson } from './my-person.js';

/** Of each person. */
const MOST = 20;

/** The passkeys of the person who is signed in. */
@Injectable()
export class MyPasskeys {
  private readonly issuers: ReadonlySet<string>;

  constructor(
    { oidcProviders }: Config,
    private readonly database: Database,
    private readonly passkeys: Passkeys,
    private readonly ended: EndedSessions,
    private readonly me: MyPerson,
  ) {
    this.issuers = new Set(oidcProviders.map(({ issuer }) => new URL(issuer).href));
  }

  async list(session: OpenSession): Promise<PasskeyDto[]> {
    assertOwnCredentials(session);
    const { id: personId } = await this.me.of(session);
    return (await this.database.withoutTenants(LIST_PASSKEYS, { personId })).map(presentPasskey);
  }

  /** Returns the options of `startRegistration`. Throws a 409 if passkeys are not offered, or the person has enough. */
  async options(session: OpenSession): Promise<JsonText> {
    assertOwnCredentials(session);
    const { id, email, name } = await this.me.of(session);
    const own = await this.database.withoutTenants(LIST_PASSKEYS, { personId: id });
    assertNotTooMany(own);
    const owner = { userHandle: userHandleOf(id), name: email, displayName: name };
    const exclude = own.map(({ credentialId }) => credentialId);
    return optionsAnswer(await this.passkeys.creationOptions(owner, exclude, { create: id }));
  }

  /** Stores a passkey, and ends the other sessions of the person. Throws a 422 if it is not valid, and a 409 if the person has enough. */
  async add(request: Request, session: OpenSession, { passkey, name }: CreatePasskeyDto): Promise<PasskeyDto> {
    assertOwnCredentials(session);
    const person = await this.me.of(session);
    const checked = await this.passkeys.verifyCreation(passkey, { create: person.id });
    const named = { ...checked, name: name ?? browserName(request.headers['user-agent']) };
    let id: string | undefined;
    await this.ended.endOf(person, session.id, {
      change: async (transaction) => {
        await lockPersonOf(transaction, session);
        assertNotTooMany(await transaction.withoutTenants(LIST_PASSKEYS, { personId: person.id }));
      },
      last: async (transaction) => {
        id = await storePasskey(transaction, person.id, named);
      },
    });
    if (id === undefined) throw new Error('A person without a tenant has a session.');
    return presentPasskey({ id, name: named.name, lastUsedAt: null });
  }

  /** Throws a 404 for a passkey of somebody else, and a 409 if the person could not sign in any more. */
  async delete(session: OpenSession, id: string): Promise<void> {
    assertOwnCredentials(session);
    const person = await this.me.of(session);
    await this.me.change(person, async (transaction) => {
      const { password } = await lockPersonOf(transaction, session);
      const own = await transaction.withoutTenants(LIST_PASSKEYS, { personId: person.id });
      if (!own.some((passkey) => passkey.id === id)) throw Problem.notFound('passkey');
      if (own.length === 1 && password === null && !(await this.hasProvider(transaction, person))) throw lastWay();
      await transaction.withoutTenants(DELETE_PASSKEY, { id, personId: person.id });
    });
  }

  /** A provider that is not configured any more signs nobody in. */
  private async hasProvider(transaction: Transaction, { id: personId }: PersonRow): Promise<boolean> {
    const identities = await transaction.withoutTenants(LIST_IDENTITIES, { personId });
    return identities.some(({ issuer }) => this.issuers.has(new URL(issuer).href));
  }
}

function presentPasskey({ id, name, lastUsedAt }: Pick<PasskeyRow, 'id' | 'name' | 'lastUsedAt'>): PasskeyDto {
  return { id: formatId('psk', id), name, created_at: timeOf(id).toISOString(), last_used_at: lastUsedAt };
}

function assertNotTooMany(own: readonly unknown[]): void {
  if (own.length >= MOST) throw new Problem('conflict', `You have ${MOST} passkeys. Delete those that you do not use.`);
}

function lastWay(): Problem {
  return new Problem(
    'conflict',
    'You could not sign in without this passkey. Set a password or add another one first.',
  );
}
