/** A membership, or an invitation, as far as a provider concerns it. */
export interface ProvidedMember {
  id: string;
  /** Null for an invitation. */
  personId: string | null;
  /** The provider that gave the membership. */
  provider: string | null;
  roleId: string;
  /** The role of the tenant, while groups give another one. */
  ownRoleId: string | null;
}

/** The role that a provider gives: `unknown` if the configuration names one that the tenant does not have. */
export type GivenRoleId = { id: string; isByGroup: boolean } | 'unknown' | undefined;

export type MembershipChange =
  | { kind: 'create'; roleId: string }
  | { kind: 'accept' | 'role'; roleId: string; ownRoleId: string | null }
  | { kind: 'remove' };

/**
 * Returns what a sign-in changes of a membership; undefined if nothing. `member` is that of the person, else what has the verified address.
 *
 * Who came by this provider has the role that it gives, and is no member without one. Somebody who was invited has the role of the groups while
 * there is one, and the tenant's otherwise. A role that the tenant does not have changes nothing.
 */
export function changeOfMembership(
  member: ProvidedMember | undefined,
  by: { personId: string | undefined; providerId: string },
  given: GivenRoleId,
): MembershipChange | undefined {
  const role = given === 'unknown' ? undefined : given;
  if (!member) return role && { kind: 'create', roleId: role.id };
  const groupRole = role?.isByGroup === true ? role.id : undefined;
  if (member.personId === null) return { kind: 'accept', ...withGroups(member, groupRole) };
  if (member.personId !== by.personId || given === 'unknown') return undefined;
  if (member.provider !== by.providerId) return changed(member, withGroups(member, groupRole));
  return role ? changed(member, { roleId: role.id, ownRoleId: null }) : { kind: 'remove' };
}

interface Roles {
  roleId: string;
  ownRoleId: string | null;
}

function withGroups({ roleId, ownRoleId }: Roles, groupRole: string | undefined): Roles {
  if (groupRole === undefined) return { roleId: ownRoleId ?? roleId, ownRoleId: null };
  return groupRole === roleId ? { roleId, ownRoleId } : { roleId: groupRole, ownRoleId: ownRoleId ?? roleId };
}

function changed(before: Roles, after: Roles): MembershipChange | undefined {
  const isSame = before.roleId === after.roleId && before.ownRoleId === after.ownRoleId;
  return isSame ? undefined : { kind: 'role', ...after };
}
