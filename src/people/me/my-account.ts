import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Database } from '../../database/database.js';
import { Problem, type ValueError } from '../../errors/problem.js';
import type { OpenSession } from '../../http/open-session.js';
import { ERASE_ANSWERS_BY } from '../../idempotency/stored-responses.sql.js';
import { BEGIN_ACCESS_CHANGE } from '../../keys/access-changes.sql.js';
import { AccessWatch } from '../../keys/access-watch.js';
import { RENAME_MEMBER, SET_REVIEW_NOTICES } from '../members/members.sql.js';
import { dropTokens } from '../one-time-tokens.js';
import { Passwords } from '../passwords/passwords.js';
import { type PersonRow, UPDATE_PERSON } from '../people.sql.js';
import { EndedSessions } from '../sessions/ended-sessions.js';
import { Guessing } from '../sessions/guessing.js';
import type { UpdateMeDto } from './me.dto.js';
import { assertOwnCredentials, lockPersonOf, MyPerson } from './my-person.js';

/** What a person changes of themselves. */
@Injectable()
export class MyAccount {
  constructor(
    private readonly database: Database,
    private readonly passwords: Passwords,
    private readonly guessing: Guessing,
    private readonly ended: EndedSessions,
    private readonly watch: AccessWatch,
    private readonly me: MyPerson,
  ) {}

  /** Changes what is sent. Throws a 422 with every invalid value before anything is changed. */
  async update(request: Request, session: OpenSession, dto: UpdateMeDto): Promise<void> {
    if (dto.password !== undefined) assertOwnCredentials(session);
    const person = await this.me.of(session);
    if (dto.name !== undefined) this.assertMayRename(session, person);
    const errors = [...this.wrongNotices(session, person, dto), ...(await this.wrongPassword(request, person, dto))];
    if (errors.length > 0) throw Problem.invalid(errors);
    if (dto.name !== undefined) await this.rename(session, person, dto.name);
    for (const [tenantId, notify] of Object.entries(dto.notify_reviews ?? {})) {
      await this.database.query(tenantId, SET_REVIEW_NOTICES, { personId: person.id, notify });
    }
    if (dto.password !== undefined) await this.changePassword(session, person, dto.password);
  }

  /** The name is that of all tenants, also of those that a session by a provider does not enter. */
  private assertMayRename(session: OpenSession, person: PersonRow): void {
    if (this.me.tenantsOf(session, person).length === this.me.configuredOf(person).length) return;
    throw new Problem('forbidden', 'Your name is also that in tenants that this session does not enter.');
  }

  private wrongNotices(
    session: OpenSession,
    person: PersonRow,
    { notify_reviews: notices = {} }: UpdateMeDto,
  ): ValueError[] {
    const own = new Set(this.me.tenantsOf(session, person));
    const others = Object.keys(notices).filter((id) => !own.has(id));
    const message = 'You are not a member of this tenant.';
    return others.map((id) => ({ path: `notify_reviews.${id}`, code: 'reference', message }));
  }

  private async wrongPassword(request: Request, person: PersonRow, dto: UpdateMeDto): Promise<ValueError[]> {
    const { password, current_password: current, name = person.name } = dto;
    if (password === undefined) return [];
    const refusal = await this.passwords.refusalOf(password, { email: person.email, name });
    const errors: ValueError[] = refusal === undefined ? [] : [{ path: 'password', code: 'format', message: refusal }];
    if (person.password === null) return errors;
    const path = 'current_password';
    if (current === undefined) return [...errors, { path, code: 'required', message: `${path} is required.` }];
    const guess = await this.guessing.enter(request, person.address);
    if (await this.passwords.verify(person.password, current, { account: person.address }, guess)) return errors;
    return [...errors, wrongPassword()];
  }

  /** The name is stored with each membership, because what a tenant sees of a person is a matter of the tenant. */
  private async rename(session: OpenSession, person: PersonRow, name: string): Promise<void> {
    await this.me.change(person, async (transaction) => {
      // The person may have joined another tenant since `person` was read.
      const now = await lockPersonOf(transaction, session);
      this.assertMayRename(session, now);
      await transaction.withoutTenants(UPDATE_PERSON, { id: person.id, name, password: null });
      for (const tenantId of this.me.configuredOf(now)) {
        await transaction.query(tenantId, BEGIN_ACCESS_CHANGE, {});
        await transaction.query(tenantId, RENAME_MEMBER, { personId: person.id, name });
        // An erasure could not find the earlier name any more.
        await transaction.query(tenantId, ERASE_ANSWERS_BY, { name: JSON.stringify(now.name) });
      }
    });
    await this.watch.changed();
  }

  /** Ends the other sessions of the person, and the links to reset the password. */
  private async changePassword(session: OpenSession, person: PersonRow, password: string): Promise<void> {
    const hash = await this.passwords.hash(password, { account: person.address });
    await this.ended.endOf(person, session.id, {
      change: async (transaction) => {
        const { password: current } = await lockPersonOf(transaction, session);
        if (current !== person.password) throw Problem.invalid([wrongPassword()]);
        await transaction.withoutTenants(UPDATE_PERSON, { id: person.id, name: null, password: hash });
      },
      last: (transaction) => dropTokens(transaction, 'reset', person.id),
    });
  }
}

function wrongPassword(): ValueError {
  return { path: 'current_password', code: 'format', message: 'current_password is wrong.' };
}
