import { Injectable } from '@nestjs/common';
import { type AuditedAction, recordChanges } from '../../audit/record-changes.js';
import { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transaction.js';
import { Problem } from '../../errors/problem.js';
import type { Caller } from '../../http/caller.js';
import { ERASE_ANSWERS, ERASE_ANSWERS_BY } from '../../idempotency/stored-responses.sql.js';
import { formatId } from '../../ids/type-id.js';
import { REVOKE_OF_MEMBER } from '../../keys/keys.sql.js';
import { AccessChanges } from '../access-changes.js';
import { CallerRights, type RoleRights } from '../caller-rights.js';
import { Invitations } from '../invitations/invitations.js';
import { dropTokens } from '../one-time-tokens.js';
import { DELETE_PERSON, LOCK_PERSON, type PersonRow, SET_TENANTS } from '../people.sql.js';
import { END_SESSIONS_OF } from '../sessions/sessions.sql.js';
import { assertNotLastOwner, isOwning } from './last-owner.js';
import { roleOf } from './member-role.js';
import { assertMayChangeMember } from './members.service.js';
import { DELETE_MEMBER, FIND_MEMBER, type MemberRow } from './members.sql.js';

/** An invitation is accepted once, so the person of a membership changes once. */
const ATTEMPTS = 3;

/** Ends memberships. */
@Injectable()
export class MemberRemoval {
  constructor(
    private readonly database: Database,
    private readonly rights: CallerRights,
    private readonly changes: AccessChanges,
    private readonly invitations: Invitations,
  ) {}

  /**
   * Ends a membership, what its sessions may do in the tenant, and the keys that the member made. With the last membership, the person is
   * erased. Throws a 404, a 403 if the member may do more than the caller, and a 409 for the last owner.
   */
  async remove(caller: Caller, id: string): Promise<void> {
    const { tenantId } = caller;
    const admitted = await this.rights.admitted(caller);
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const [member] = await this.database.query(tenantId, FIND_MEMBER, { id });
      if (!member) throw Problem.notFound('member');
      if (await this.database.attempt(tenantId, () => this.attempt(caller, member, admitted))) return;
    }
    throw Problem.unavailable('The member is being changed. Try again.');
  }

  /** Returns undefined if the membership has another person than `known`. */
  private async attempt(caller: Caller, known: MemberRow, admitted: RoleRights): Promise<true | undefined> {
    const { tenantId } = caller;
    let person: PersonRow | undefined;
    const first = async (transaction: Transaction) => {
      person = await lockPerson(transaction, tenantId, known.personId);
    };
    const overtaken = new Error('The membership has got a person.');
    const work = async (transaction: Transaction) => {
      const [member] = await transaction.query(tenantId, FIND_MEMBER, { id: known.id });
      if (!member) throw Problem.notFound('member');
      if (member.personId !== known.personId) throw overtaken;
      if (caller.actorId !== formatId('usr', member.id)) {
        assertMayChangeMember(await this.rights.current(transaction, caller, admitted), member);
      }
      if (member.joinedAt !== null && isOwning(roleOf(member))) {
        await assertNotLastOwner(transaction, tenantId, member.id);
      }
      await this.end(transaction, caller, member, person);
    };
    try {
      await this.changes.run(tenantId, work, { first });
      return true;
    } catch (error) {
      if (error === overtaken) return undefined;
      throw error;
    }
  }

  private async end(
    transaction: Transaction,
    caller: Caller,
    member: MemberRow,
    person: PersonRow | undefined,
  ): Promise<void> {
    const { tenantId } = caller;
    const keys = await transaction.query(tenantId, REVOKE_OF_MEMBER, { memberId: member.id });
    await transaction.query(tenantId, DELETE_MEMBER, { id: member.id });
    await transaction.query(tenantId, ERASE_ANSWERS, { resourceIds: [member.id] });
    await transaction.query(tenantId, ERASE_ANSWERS_BY, { name: JSON.stringify(member.name) });
    const ended: AuditedAction[] = [
      { action: 'deleted', resource: { type: 'member', id: formatId('usr', member.id) } },
      ...keys.map(({ id }) => ({ action: 'revoked', resource: { type: 'key', id: formatId('key', id) } })),
    ];
    await recordChanges(transaction, tenantId, caller, ended);
    await leave(transaction, tenantId, person);
    await this.invitations.end(transaction, tenantId, member);
  }
}

/** Locks the person, and ends all sessions before those of whom no membership is left. */
async function lockPerson(
  transaction: Transaction,
  tenantId: string,
  id: string | null,
): Promise<PersonRow | undefined> {
  const [person] = id === null ? [] : await transaction.withoutTenants(LOCK_PERSON, { id });
  if (person && othersOf(person, tenantId).length === 0) {
    await transaction.withoutTenants(END_SESSIONS_OF, { personId: person.id, except: null });
  }
  return person;
}

/** Erases a person without another membership. */
async function leave(transaction: Transaction, tenantId: string, person: PersonRow | undefined): Promise<void> {
  if (!person) return;
  const tenants = othersOf(person, tenantId);
  if (tenants.length > 0) {
    await transaction.withoutTenants(SET_TENANTS, { id: person.id, tenants });
    return;
  }
  await transaction.withoutTenants(DELETE_PERSON, { id: person.id });
  await dropTokens(transaction, 'reset', person.id);
}

function othersOf({ tenants }: PersonRow, tenantId: string): string[] {
  return tenants.filter((id) => id !== tenantId);
}
