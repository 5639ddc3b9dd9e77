import { Injectable } from '@nestjs/common';
import { comparable } from '../../access/may-read.js';
import { isMember } from '../../access/member-names.js';
import { type AuditedAction, recordChanges } from '../../audit/record-changes.js';
import { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transaction.js';
import { Problem } from '../../errors/problem.js';
import { canonicalEmail } from '../../fields/formats/email.js';
import type { CheckedBody } from '../../http/bodies/dto.pipe.js';
import { changedReadOnly } from '../../http/bodies/read-only.js';
import type { Caller } from '../../http/caller.js';
import { formatId, newUuid } from '../../ids/type-id.js';
import { AccessChanges } from '../access-changes.js';
import { allows, CallerRights, type RoleRights } from '../caller-rights.js';
import { Invitations } from '../invitations/invitations.js';
import { roleNamed, type TenantRole } from '../roles/tenant-role.js';
import { assertNotLastOwner, isOwning } from './last-owner.js';
import { presentMember } from './member-presenter.js';
import { roleOf } from './member-role.js';
import { MEMBERS } from './member-usage.js';
import type { CreateMemberDto, UpdateMemberDto } from './members.dto.js';
import { FIND_MEMBER, FIND_MEMBER_BY_ADDRESS, INSERT_MEMBER, type MemberRow, SET_ROLE } from './members.sql.js';

/** Invites members, and changes their roles. */
@Injectable()
export class MembersService {
  constructor(
    private readonly database: Database,
    private readonly rights: CallerRights,
    private readonly changes: AccessChanges,
    private readonly invitations: Invitations,
  ) {}

  async get({ tenantId }: Caller, id: string): Promise<MemberRow> {
    const [member] = await this.database.query(tenantId, FIND_MEMBER, { id });
    if (!member) throw Problem.notFound('member');
    return member;
  }

  /**
   * Invites somebody. Does the same whether the address is known elsewhere or not. Throws a 422 if the body is invalid, a 409 if the address
   * is that of a member, a 403 if the role allows more than the caller may or the tenant has enough members, and a 429 after too many
   * invitations.
   */
  async create(caller: Caller, { dto, errors }: CheckedBody<CreateMemberDto>): Promise<MemberRow> {
    const { tenantId } = caller;
    if (errors.length > 0) throw Problem.invalid(errors);
    const { email, name = '' } = dto;
    const address = canonicalEmail(email);
    const admitted = await this.rights.admitted(caller);
    assertAllowed(admitted, await this.roleOf(this.database, tenantId, dto.role));
    const [other] = await this.database.query(tenantId, FIND_MEMBER_BY_ADDRESS, { address });
    if (other) throw isMemberAlready(other);
    await this.invitations.assertMaySend(tenantId, email);
    const id = newUuid();
    const invite = async (transaction: Transaction) => {
      const role = await this.roleOf(transaction, tenantId, dto.role);
      assertAllowed(await this.rights.current(transaction, caller, admitted), role);
      const inserted = { id, address, email, name, roleId: role.id };
      if ((await transaction.query(tenantId, INSERT_MEMBER, inserted)).length === 0) throw isMemberAlready();
      await recordChanges(transaction, tenantId, caller, [changeOf('created', id)]);
      await this.invitations.send(transaction, tenantId, { id, email, name }, inviterOf(caller));
      return found(transaction, tenantId, id);
    };
    return this.changes.run(tenantId, invite, { creation: { tenantId, resource: MEMBERS, amount: 1 } });
  }

  /**
   * Gives a member another role. Throws a 404, a 422 if the body is invalid, a 403 for oneself and if the role before or after allows more
   * than the caller may, and a 409 for the last owner.
   */
  async update(caller: Caller, id: string, { dto, errors }: CheckedBody<UpdateMemberDto>): Promise<MemberRow> {
    const { tenantId } = caller;
    await this.get(caller, id);
    if (errors.length > 0) throw Problem.invalid(errors);
    const admitted = await this.rights.admitted(caller);
    return this.changes.run(tenantId, async (transaction) => {
      const before = await found(transaction, tenantId, id);
      const fixed = changedReadOnly(dto, () => comparable(caller, { area: 'users' }, () => presentMember(before)));
      // The member's own requests change it meanwhile.
      const wrong = fixed.filter(({ path }) => path !== 'last_seen_at');
      if (wrong.length > 0) throw Problem.invalid(wrong);
      if (dto.role === undefined) return before;
      if (caller.actorId === formatId('usr', id)) throw new Problem('forbidden', 'You cannot change your own role.');
      const role = await this.roleOf(transaction, tenantId, dto.role);
      const rights = await this.rights.current(transaction, caller, admitted);
      assertMayChangeMember(rights, before);
      assertAllowed(rights, role);
      if (role.id === before.roleId) return before;
      const isDemoted = before.joinedAt !== null && isOwning(roleOf(before)) && !isOwning(role);
      if (isDemoted) await assertNotLastOwner(transaction, tenantId, id);
      await transaction.query(tenantId, SET_ROLE, { id, roleId: role.id });
      await recordChanges(transaction, tenantId, caller, [changeOf('updated', id, ['role'])]);
      return found(transaction, tenantId, id);
    });
  }

  /**
   * Sends an invitation again, whose token replaces the earlier one. Throws a 404, a 403 if the role allows more than the caller may, a 409
   * for somebody who has accepted, and a 429 after too many invitations.
   */
  async invite(caller: Caller, id: string): Promise<void> {
    const { tenantId } = caller;
    const admitted = await this.rights.admitted(caller);
    const known = await this.get(caller, id);
    assertInvited(known);
    assertMayChangeMember(admitted, known);
    await this.invitations.assertMaySend(tenantId, known.email);
    await this.changes.run(tenantId, async (transaction) => {
      const member = await found(transaction, tenantId, id);
      assertInvited(member);
      assertMayChangeMember(await this.rights.current(transaction, caller, admitted), member);
      await recordChanges(transaction, tenantId, caller, [changeOf('invited', id)]);
      await this.invitations.send(transaction, tenantId, member, inviterOf(caller));
    });
  }

  private async roleOf(executor: Database | Transaction, tenantId: string, text: string): Promise<TenantRole> {
    const role = await roleNamed(executor, tenantId, text);
    if (role) return role;
    throw Problem.invalid([{ path: 'role', code: 'reference', message: 'There is no such role.' }]);
  }
}

/** Throws a 403 if the member may do more. */
export function assertMayChangeMember(rights: RoleRights, member: MemberRow): void {
  if (!allows(rights, roleOf(member))) throw new Problem('forbidden', 'This member may do more than you.');
}

/** Reads the member under the access lock. Throws a 404 if there is none. */
async function found(transaction: Transaction, tenantId: string, id: string): Promise<MemberRow> {
  const [member] = await transaction.query(tenantId, FIND_MEMBER, { id });
  if (!member) throw Problem.notFound('member');
  return member;
}

function changeOf(action: 'created' | 'updated' | 'invited', id: string, changes?: string[]): AuditedAction {
  return { action, resource: { type: 'member', id: formatId('usr', id) }, changes };
}

function assertAllowed(rights: RoleRights, role: TenantRole): void {
  if (!allows(rights, role)) {
    throw new Problem('forbidden', `The role ${role.name} allows more than you may do yourself.`);
  }
}

function assertInvited({ joinedAt }: MemberRow): void {
  if (joinedAt !== null) throw new Problem('conflict', 'This member has accepted the invitation already.');
}

function isMemberAlready(other?: { joinedAt: string | null }): Problem {
  const isInvited = other?.joinedAt === null;
  return new Problem('conflict', isInvited ? 'This address is invited already.' : 'This address is a member already.');
}

/** A mail names the person who invites, and no key. */
function inviterOf({ actorId, name }: Caller): string | undefined {
  return isMember(actorId) ? name : undefined;
}
