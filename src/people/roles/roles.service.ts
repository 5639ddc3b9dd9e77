import { Injectable } from '@nestjs/common';
import { comparable } from '../../access/may-read.js';
import { changedNames } from '../../audit/changed-names.js';
import { type AuditedAction, recordChanges } from '../../audit/record-changes.js';
import { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transaction.js';
import { Problem } from '../../errors/problem.js';
import type { CheckedBody } from '../../http/bodies/dto.pipe.js';
import { changedReadOnly } from '../../http/bodies/read-only.js';
import type { Caller } from '../../http/caller.js';
import { formatId, newUuid } from '../../ids/type-id.js';
import { KeyScopes } from '../../keys/key-scopes.js';
import { canonicalLocales } from '../../validation/locales.js';
import { AccessChanges } from '../access-changes.js';
import { allows, CallerRights, type RoleRights } from '../caller-rights.js';
import { assertOwnersWithout, isOwning } from '../members/last-owner.js';
import { roleNameKey } from './role-name.js';
import type { CreateRoleDto, UpdateRoleDto } from './roles.dto.js';
import { COUNT_MEMBERS_WITH, COUNT_ROLES, DELETE_ROLE, INSERT_ROLE, LIST_ROLES, UPDATE_ROLE } from './roles.sql.js';
import { BUILT_IN, builtInNamed, findRole, ownRole, presentRole, roleNamed, type TenantRole } from './tenant-role.js';

/** Roles of a tenant that are not built in. Their list is not paginated. */
const MAX_ROLES = 100;

@Injectable()
export class RolesService {
  constructor(
    private readonly database: Database,
    private readonly scopes: KeyScopes,
    private readonly rights: CallerRights,
    private readonly changes: AccessChanges,
  ) {}

  /** Lists the built-in roles, then those of the tenant, oldest first. */
  async list({ tenantId }: Caller): Promise<TenantRole[]> {
    return [...BUILT_IN, ...(await this.database.query(tenantId, LIST_ROLES, {})).map(ownRole)];
  }

  async get({ tenantId }: Caller, id: string): Promise<TenantRole> {
    return found(await findRole(this.database, tenantId, id));
  }

  /**
   * Throws a 422 if the body is invalid, a 403 if the role would allow more than the caller may, and a 409 if the name is taken or the tenant
   * has too many roles.
   */
  async create(caller: Caller, { dto, errors }: CheckedBody<CreateRoleDto>): Promise<TenantRole> {
    const { tenantId } = caller;
    const scopes = await this.scopes.check(caller, dto.scopes, errors, 'role');
    const admitted = await this.rights.admitted(caller);
    const { name, locales } = dto;
    const limited = locales && { locales: canonicalLocales(locales) };
    const role: TenantRole = { id: newUuid(), name, scopes, ...limited, isBuiltIn: false };
    return this.changes.run(tenantId, async (transaction) => {
      assertAllowed(await this.rights.current(transaction, caller, admitted), role);
      const [count] = await transaction.query(tenantId, COUNT_ROLES, {});
      if ((count?.roles ?? 0) >= MAX_ROLES) throw tooMany();
      await assertFree(transaction, tenantId, role);
      await transaction.query(tenantId, INSERT_ROLE, rowOf(role));
      await recordChanges(transaction, tenantId, caller, [changeOf('created', role)]);
      return role;
    });
  }

  /**
   * Changes only the properties that were sent. Throws a 404, a 422 if the body is invalid, a 403 if the role allows more than the caller may
   * or would then, and a 409 if it is built in, the name is taken, or nobody would have `*` any more.
   */
  async update(caller: Caller, id: string, { dto, errors }: CheckedBody<UpdateRoleDto>): Promise<TenantRole> {
    const { tenantId } = caller;
    assertNotBuiltIn(id);
    await this.get(caller, id);
    if (dto.scopes === undefined && errors.length > 0) throw Problem.invalid(errors);
    const scopes = dto.scopes === undefined ? undefined : await this.scopes.check(caller, dto.scopes, errors, 'role');
    const admitted = await this.rights.admitted(caller);
    return this.changes.run(tenantId, async (transaction) => {
      const before = found(await findRole(transaction, tenantId, id));
      const fixed = changedReadOnly(dto, () => comparable(caller, { area: 'users' }, () => presentRole(before)));
      if (fixed.length > 0) throw Problem.invalid(fixed);
      const rights = await this.rights.current(transaction, caller, admitted);
      if (!allows(rights, before)) throw mayMore();
      const after = changed(before, dto, scopes);
      assertAllowed(rights, after);
      await assertFree(transaction, tenantId, after);
      if (isOwning(before) && !isOwning(after)) await assertOwnersWithout(transaction, tenantId, id);
      await transaction.query(tenantId, UPDATE_ROLE, rowOf(after));
      const changes = changedNames({ locales: null, ...before }, { locales: null, ...after });
      if (changes.length > 0) await recordChanges(transaction, tenantId, caller, [changeOf('updated', after, changes)]);
      return after;
    });
  }

  /** Throws a 404, a 403 if the role allows more than the caller may, and a 409 if it is built in or members have it. */
  async delete(caller: Caller, id: string): Promise<void> {
    const { tenantId } = caller;
    assertNotBuiltIn(id);
    const admitted = await this.rights.admitted(caller);
    await this.changes.run(tenantId, async (transaction) => {
      const role = found(await findRole(transaction, tenantId, id));
      if (!allows(await this.rights.current(transaction, caller, admitted), role)) throw mayMore();
      const [count] = await transaction.query(tenantId, COUNT_MEMBERS_WITH, { id });
      if (count && count.members > 0) throw inUse(count.members);
      await transaction.query(tenantId, DELETE_ROLE, { id });
      await recordChanges(transaction, tenantId, caller, [changeOf('deleted', role)]);
    });
  }
}

function changed(
  before: TenantRole,
  { name, locales }: UpdateRoleDto,
  scopes: readonly string[] | undefined,
): TenantRole {
  const limited = locales === undefined ? before.locales : locales && canonicalLocales(locales);
  return {
    id: before.id,
    name: name ?? before.name,
    scopes: scopes ?? before.scopes,
    ...(limited && { locales: limited }),
    isBuiltIn: false,
  };
}

function rowOf({
  id,
  name,
  scopes,
  locales = null,
}: {
  id: string;
  name: string;
  scopes: readonly string[];
  locales?: readonly string[] | null;
}) {
  return { id, name, nameKey: roleNameKey(name), scopes, locales };
}

function changeOf(action: 'created' | 'updated' | 'deleted', { id }: TenantRole, changes?: string[]): AuditedAction {
  return { action, resource: { type: 'role', id: formatId('rol', id) }, changes };
}

function found(role: TenantRole | undefined): TenantRole {
  if (!role) throw Problem.notFound('role');
  return role;
}

function assertAllowed(rights: RoleRights, role: TenantRole): void {
  if (!allows(rights, role)) throw new Problem('forbidden', 'A role cannot allow more than you may do yourself.');
}

/** Throws a 409 if another role has the name. */
async function assertFree(transaction: Transaction, tenantId: string, { id, name }: TenantRole): Promise<void> {
  const other = builtInNamed(name) ?? (await roleNamed(transaction, tenantId, name));
  if (other && other.id !== id) throw new Problem('conflict', `There is already a role with the name ${other.name}.`);
}

function assertNotBuiltIn(id: string): void {
  if (BUILT_IN.some((role) => role.id === id)) {
    throw new Problem('conflict', 'This role is built in, and cannot be changed or deleted.');
  }
}

function mayMore(): Problem {
  return new Problem('forbidden', 'The members with this role may do more than you.');
}

function inUse(members: number): Problem {
  const who = members === 1 ? '1 member has' : `${members.toLocaleString('en')} members have`;
  return new Problem('conflict', `${who} this role. Give them another one first.`);
}

function tooMany(): Problem {
  return new Problem('conflict', `The tenant has ${MAX_ROLES} roles of its own. Delete those that are not needed.`);
}
