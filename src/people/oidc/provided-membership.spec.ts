import { changeOfMembership, type GivenRoleId, type ProvidedMember } from './provided-membership.js';

const ADA = { personId: 'ada', providerId: 'acme' };
const byGroup = (id: string): GivenRoleId => ({ id, isByGroup: true });
const byDefault: GivenRoleId = { id: 'viewer', isByGroup: false };
const member = (change: Partial<ProvidedMember>): ProvidedMember => ({
  id: 'm',
  personId: 'ada',
  provider: null,
  roleId: 'editor',
  ownRoleId: null,
  ...change,
});
const came = (roleId: string) => member({ provider: 'acme', roleId });

describe('a sign-in with a provider', () => {
  it.each<[string, ProvidedMember | undefined, GivenRoleId, ReturnType<typeof changeOfMembership>]>([
    ['makes nobody a member without a role', undefined, undefined, undefined],
    ['makes nobody a member with an unknown role', undefined, 'unknown', undefined],
    ['makes a member with the default role', undefined, byDefault, { kind: 'create', roleId: 'viewer' }],
    ['makes a member with the role of a group', undefined, byGroup('owner'), { kind: 'create', roleId: 'owner' }],
    [
      'accepts an invitation with its role',
      member({ personId: null }),
      byDefault,
      { kind: 'accept', roleId: 'editor', ownRoleId: null },
    ],
    [
      'accepts an invitation with the role of a group',
      member({ personId: null }),
      byGroup('owner'),
      { kind: 'accept', roleId: 'owner', ownRoleId: 'editor' },
    ],
    ['changes nothing of somebody else', member({ personId: 'eve' }), byGroup('owner'), undefined],
    ['leaves who was invited the role', member({}), byDefault, undefined],
    ['leaves who was invited the role without a group', member({}), undefined, undefined],
    [
      'gives who was invited the role of a group',
      member({}),
      byGroup('owner'),
      { kind: 'role', roleId: 'owner', ownRoleId: 'editor' },
    ],
    [
      'gives who was invited the role of another group',
      member({ roleId: 'owner', ownRoleId: 'editor' }),
      byGroup('author'),
      { kind: 'role', roleId: 'author', ownRoleId: 'editor' },
    ],
    [
      'gives who was invited their own role back',
      member({ roleId: 'owner', ownRoleId: 'editor' }),
      undefined,
      { kind: 'role', roleId: 'editor', ownRoleId: null },
    ],
    [
      'gives who was invited their own role back, not the default',
      member({ roleId: 'owner', ownRoleId: 'editor' }),
      byDefault,
      { kind: 'role', roleId: 'editor', ownRoleId: null },
    ],
    [
      'changes nothing for the same group',
      member({ roleId: 'owner', ownRoleId: 'editor' }),
      byGroup('owner'),
      undefined,
    ],
    ['changes nothing with an unknown role', came('owner'), 'unknown', undefined],
    [
      'gives who came by the provider the default role',
      came('owner'),
      byDefault,
      { kind: 'role', roleId: 'viewer', ownRoleId: null },
    ],
    ['ends the membership of who came by the provider', came('owner'), undefined, { kind: 'remove' }],
    ['leaves who came by another provider the role', { ...came('owner'), provider: 'other' }, undefined, undefined],
  ])('%s', (_, before, given, expected) => {
    expect(changeOfMembership(before, ADA, given)).toEqual(expected);
  });
});
