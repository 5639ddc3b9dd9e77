import { Injectable, Logger } from '@nestjs/common';
import type { Request } from 'express';
import { recordChanges } from '../../audit/record-changes.js';
import { Config } from '../../config/config.js';
import { Database } from '../../database/database.js';
import type { Executor, Transaction } from '../../database/transaction.js';
import { Problem } from '../../errors/problem.js';
import { canonicalEmail } from '../../fields/formats/email.js';
import type { Author } from '../../http/caller.js';
import { wholeAddress } from '../../http/client-address.js';
import { formatId, newUuid } from '../../ids/type-id.js';
import { AccessChanges } from '../access-changes.js';
import { Invitations } from '../invitations/invitations.js';
import { hasOtherOwner, isOwning } from '../members/last-owner.js';
import { MEMBERS } from '../members/member-usage.js';
import { MemberRemoval } from '../members/member-removal.js';
import { roleOf } from '../members/member-role.js';
import { JOIN_MEMBER } from '../members/members.sql.js';
import { INSERT_PERSON, LOCK_PERSON, SET_TENANTS } from '../people.sql.js';
import { findRole, roleNamed } from '../roles/tenant-role.js';
import { PUT_IDENTITY } from './identities.sql.js';
import type { ProvidedIdentity } from './provided-identity.js';
import type { GivenRole } from './oidc-providers.js';
import { changeOfMembership, type GivenRoleId, type MembershipChange } from './provided-membership.js';
import { FIND_PROVIDED_MEMBERS, INSERT_PROVIDED_MEMBER, SET_PROVIDED_ROLE } from './provided-members.sql.js';
import { noAddress, Overtaken, type ProvidedPerson } from './provider-people.js';

/** Somebody whom a provider signs in. */
interface Comer extends ProvidedPerson {
  providerId: string;
  identity: ProvidedIdentity;
  request: Request;
}

type Given = GivenRole & { role: GivenRoleId };

/** Makes the memberships of a person follow what a provider says. A sign-in that changes nothing writes nothing. */
@Injectable()
export class ProvidedMemberships {
  private readonly logger = new Logger(ProvidedMemberships.name);

  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly changes: AccessChanges,
    private readonly invitations: Invitations,
    private readonly removal: MemberRemoval,
  ) {}

  /**
   * Changes one tenant after the other, each in a transaction. Memberships end last, so that a person who changes tenants stays the same. Returns
   * the problem of a tenant that has enough members. Throws `Overtaken` if another change came between.
   */
  async follow(comer: Comer, roles: readonly GivenRole[]): Promise<Problem | undefined> {
    const removed: string[] = [];
    let refusal: Problem | undefined;
    for (const role of roles) {
      const given = { ...role, role: await this.idOf(comer, role) };
      const { change, member } = await this.plan(this.database, comer, given);
      if (change?.kind === 'remove') removed.push(role.tenantId);
      else if (change) refusal = (await this.attempt(comer, given, change, member?.id)) ?? refusal;
    }
    for (const tenantId of removed) await this.remove(comer, tenantId);
    return refusal;
  }

  private async idOf({ providerId }: Comer, { tenantId, byGroup, byDefault }: GivenRole): Promise<GivenRoleId> {
    const name = byGroup ?? byDefault;
    if (name === undefined) return undefined;
    const role = await roleNamed(this.database, tenantId, name);
    if (role) return { id: role.id, isByGroup: byGroup !== undefined };
    this.logger.warn({ provider: providerId, tenant: tenantId, role: name }, 'OIDC_PROVIDERS names an unknown role');
    return 'unknown';
  }

  private async plan(executor: Executor, { person, isStored, providerId, identity }: Comer, { tenantId, role }: Given) {
    const address = identity.email === undefined ? null : canonicalEmail(identity.email);
    const [member] = await executor.query(tenantId, FIND_PROVIDED_MEMBERS, { personId: person.id, address });
    // Who has the address has joined since the person was looked for.
    if (!isStored && member && member.personId !== null) throw new Overtaken();
    return { member, change: changeOfMembership(member, { personId: person.id, providerId }, role) };
  }

  /** Returns the 403 of a tenant that has enough members. */
  private async attempt(
    comer: Comer,
    given: Given,
    { kind }: MembershipChange,
    memberId: string | undefined,
  ): Promise<Problem | undefined> {
    const { tenantId } = given;
    const creation = kind === 'create' ? { tenantId, resource: MEMBERS, amount: 1 } : undefined;
    const isJoining = kind !== 'role';
    const first = (transaction: Transaction) => this.lock(transaction, comer, isJoining ? tenantId : undefined);
    const work = async (transaction: Transaction) => {
      const { member, change } = await this.plan(transaction, comer, given);
      if (change?.kind !== kind || member?.id !== memberId) throw new Overtaken();
      await this.carryOut(transaction, comer, tenantId, change, memberId);
    };
    try {
      await this.changes.run(tenantId, work, { first, ...(creation && { creation }) });
    } catch (error) {
      if (error instanceof Problem && error.code === 'limit_reached') return error;
      throw error;
    }
    comer.isStored = true;
    return undefined;
  }

  /** Locks the person, or writes a new one with the identity. */
  private async lock(transaction: Transaction, comer: Comer, joined: string | undefined): Promise<void> {
    const { person, isStored, before } = comer;
    const { issuer, subject } = comer.identity;
    if (!isStored) {
      const tenants = joined === undefined ? [] : [joined];
      await transaction.withoutTenants(INSERT_PERSON, { ...person, tenants });
      const put = await transaction.withoutTenants(PUT_IDENTITY, { issuer, subject, personId: person.id, before });
      if (put.length === 0) throw new Overtaken();
      return;
    }
    const [locked] = await transaction.withoutTenants(LOCK_PERSON, { id: person.id });
    if (!locked) throw new Overtaken();
    if (joined === undefined || locked.tenants.includes(joined)) return;
    await transaction.withoutTenants(SET_TENANTS, { id: person.id, tenants: [...locked.tenants, joined] });
  }

  private async carryOut(
    transaction: Transaction,
    comer: Comer,
    tenantId: string,
    change: MembershipChange,
    memberId: string | undefined,
  ): Promise<void> {
    if (change.kind === 'create') return this.create(transaction, comer, tenantId, change.roleId);
    if (change.kind === 'remove' || memberId === undefined) throw new Overtaken();
    if (change.kind === 'accept') await this.accept(transaction, comer, tenantId, memberId);
    else if (await this.isLastOwner(transaction, comer, tenantId, change.roleId)) return;
    await transaction.query(tenantId, SET_PROVIDED_ROLE, { ...change, id: memberId });
    if (change.kind === 'role') await this.record(transaction, comer, { tenantId, memberId, action: 'updated' });
  }

  private async create(transaction: Transaction, comer: Comer, tenantId: string, roleId: string): Promise<void> {
    const { person, providerId: provider, identity } = comer;
    const { email = '' } = identity;
    const address = email === '' ? noAddress(person.id) : canonicalEmail(email);
    const member = { id: newUuid(), personId: person.id, address, email, name: person.name, roleId, provider };
    if ((await transaction.query(tenantId, INSERT_PROVIDED_MEMBER, member)).length === 0) throw new Overtaken();
    await this.record(transaction, comer, { tenantId, memberId: member.id, action: 'joined' });
  }

  private async accept(transaction: Transaction, comer: Comer, tenantId: string, memberId: string): Promise<void> {
    const { person, identity } = comer;
    const joined = { id: memberId, personId: person.id, name: person.name };
    if ((await transaction.query(tenantId, JOIN_MEMBER, joined)).length === 0) throw new Overtaken();
    await this.record(transaction, comer, { tenantId, memberId, action: 'joined' });
    await this.invitations.end(transaction, tenantId, { id: memberId, email: identity.email ?? '' });
  }

  /** Whether the role would leave the tenant without an owner. Then the member keeps the present one. */
  private async isLastOwner(
    transaction: Transaction,
    comer: Comer,
    tenantId: string,
    roleId: string,
  ): Promise<boolean> {
    const { person, providerId: provider } = comer;
    const own = { personId: person.id, address: null };
    const [member] = await transaction.query(tenantId, FIND_PROVIDED_MEMBERS, own);
    if (!member || !isOwning(roleOf(member))) return false;
    const role = await findRole(transaction, tenantId, roleId);
    if (role && isOwning(role)) return false;
    if (await hasOtherOwner(transaction, tenantId, member.id)) return false;
    this.logger.warn({ provider, tenant: tenantId }, 'The groups of the last owner give less; the role stays');
    return true;
  }

  private async remove(comer: Comer, tenantId: string): Promise<void> {
    const own = { personId: comer.person.id, address: null };
    const [member] = await this.database.query(tenantId, FIND_PROVIDED_MEMBERS, own);
    if (!member) return;
    const author = this.authorOf(comer, member.id);
    const credentialId = formatId('usr', member.id);
    const caller = {
      ...author,
      tenantId,
      credentialId,
      scopes: new Set<string>(),
      publishedOnly: false,
      share: tenantId,
    };
    try {
      await this.removal.remove(caller, member.id);
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'conflict') throw error;
      this.logger.warn(
        { provider: comer.providerId, tenant: tenantId },
        'The last owner has no group; the membership stays',
      );
    }
  }

  private async record(
    transaction: Transaction,
    comer: Comer,
    { tenantId, memberId, action }: { tenantId: string; memberId: string; action: 'joined' | 'updated' },
  ): Promise<void> {
    const resource = { type: 'member', id: formatId('usr', memberId) };
    const change = { action, resource, ...(action === 'updated' && { changes: ['role'] }) };
    await recordChanges(transaction, tenantId, this.authorOf(comer, memberId), [change]);
  }

  private authorOf({ person, request }: Comer, memberId: string): Author {
    const ip = this.config.auditIp ? wholeAddress(request) : null;
    return { actorId: formatId('usr', memberId), name: person.name, requestId: request.id, ip };
  }
}
