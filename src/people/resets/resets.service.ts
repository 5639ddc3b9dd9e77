import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { Request } from 'express';
import { SessionCookie } from '../../access/session-cookie.js';
import { FairQueue } from '../../admission/fair-queue.js';
import { afterResponse } from '../../admission/release-with-response.js';
import { Database } from '../../database/database.js';
import { Problem } from '../../errors/problem.js';
import { canonicalEmail } from '../../fields/formats/email.js';
import { clientAddress } from '../../http/client-address.js';
import type { JsonText } from '../../http/http-adapter.js';
import { PublicUrl } from '../../http/public-url.js';
import { newUuid } from '../../ids/type-id.js';
import { LetterLimits } from '../../mail/letters/letter-limits.js';
import { Letters } from '../../mail/letters/letters.js';
import { dropTokens, findToken, issueToken, takeToken } from '../one-time-tokens.js';
import { Passwords } from '../passwords/passwords.js';
import { FIND_PERSON, FIND_PERSON_BY_ADDRESS, LOCK_PERSON, type PersonRow, UPDATE_PERSON } from '../people.sql.js';
import { EndedSessions } from '../sessions/ended-sessions.js';
import { EnteredTenants } from '../sessions/entered-tenants.js';
import { NewSessions } from '../sessions/new-sessions.js';

const VALID_S = 3_600;
/** Requests whose email is not written yet: of all addresses of clients, and of one. */
const MAX_WAITING = 1_000;
const MAX_WAITING_OF_ADDRESS = 20;

/**
 * New passwords for people who have forgotten theirs. The response to a request is complete before the request is looked at, so that neither the
 * response nor its time tells whether there is such a person.
 */
@Injectable()
export class ResetsService implements OnModuleDestroy {
  private readonly logger = new Logger(ResetsService.name);
  private readonly queue = new FairQueue({
    concurrency: 1,
    maxWaiting: MAX_WAITING_OF_ADDRESS,
    waitMs: 60_000,
    refusal: tooMany,
  });
  private pending: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly passwords: Passwords,
    private readonly letters: Letters,
    private readonly limits: LetterLimits,
    private readonly ended: EndedSessions,
    private readonly sessions: NewSessions,
    private readonly entered: EnteredTenants,
    private readonly cookie: SessionCookie,
    private readonly publicUrl: PublicUrl,
  ) {}

  /** Lets requests that were answered have their email. */
  async onModuleDestroy(): Promise<void> {
    await this.pending;
  }

  /** Sends an email with a link if the address belongs to somebody. Too many requests at once are answered alike, and forgotten. */
  request(request: Request, email: string): void {
    this.cookie.assertOwnOrigin(request, false);
    // The address of a connection that has closed is not known any more.
    const client = clientAddress(request);
    const { res: response } = request;
    const answered = new Promise<void>((resolve) => (response ? afterResponse(response, resolve) : resolve()));
    const sent = answered.then(() => this.sendInTurn(client, canonicalEmail(email)));
    const noted = sent.catch((error: unknown) => this.logger.error({ err: error }, 'A password reset was not sent'));
    this.pending = Promise.all([this.pending, noted]);
  }

  private async sendInTurn(client: string, address: string): Promise<void> {
    if (this.queue.waiting >= MAX_WAITING || this.queue.waitingOf(client) >= MAX_WAITING_OF_ADDRESS) {
      this.logger.warn({ waiting: this.queue.waiting }, 'A request for a new password was ignored: too many wait');
      return;
    }
    await this.queue.run(client, () => this.send(address));
  }

  /**
   * Sets the password, ends all sessions of the person and begins one. A refused password does not use the token. Throws a 404 for a token that
   * is not good, and a 422 for the password.
   */
  async finish(request: Request, token: string, password: string): Promise<JsonText> {
    this.cookie.assertOwnOrigin(request, false);
    const person = await this.personOf(token);
    const refusal = await this.passwords.refusalOf(password, { email: person.email, name: person.name });
    if (refusal !== undefined) throw Problem.invalid([{ path: 'password', code: 'format', message: refusal }]);
    const hash = await this.passwords.hash(password, { account: person.address });
    await this.ended.endOf(person, null, {
      change: async (transaction) => {
        await transaction.withoutTenants(UPDATE_PERSON, { id: person.id, name: null, password: hash });
      },
      last: async (transaction) => {
        if ((await takeToken(transaction, 'reset', token)) === undefined) throw noToken();
        await dropTokens(transaction, 'reset', person.id);
      },
    });
    return this.sessions.begin(request, { personId: person.id, proof: { password: hash } });
  }

  private async personOf(token: string): Promise<PersonRow> {
    const found = await findToken(this.database, 'reset', token);
    const [person] = found ? await this.database.withoutTenants(FIND_PERSON, { id: found.subject }) : [];
    if (!person) throw noToken();
    return person;
  }

  private async send(address: string): Promise<void> {
    const [person] = await this.database.withoutTenants(FIND_PERSON_BY_ADDRESS, { address });
    const [tenantId] = this.entered.configured(person?.tenants ?? []);
    if (!person || tenantId === undefined || !(await this.limits.mayReset(address))) return;
    await this.database.transaction(tenantId, async (transaction) => {
      // No letter goes to somebody who is erased meanwhile.
      if ((await transaction.withoutTenants(LOCK_PERSON, { id: person.id })).length === 0) return;
      const token = await issueToken(transaction, { purpose: 'reset', subject: person.id, seconds: VALID_S });
      await this.letters.write(transaction, tenantId, {
        id: newUuid(),
        kind: 'reset',
        to: { name: person.name, address: person.email },
        url: `${this.publicUrl.console}/console/reset#${token}`,
        expiresAt: new Date(Date.now() + VALID_S * 1000).toISOString(),
      });
    });
  }
}

function noToken(): Problem {
  return Problem.notFound('password reset', 'It is good once, for an hour.');
}

function tooMany(): Problem {
  return Problem.unavailable('Too many people ask for a new password at the moment.');
}
