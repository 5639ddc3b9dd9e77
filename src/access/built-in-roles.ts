/** A role that every tenant has, and that nobody can change. */
export interface BuiltInRole {
  /** UUID of the public ID. */
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
}

export const OWNER: BuiltInRole = { id: '00000000-0000-8000-8000-000000000001', name: 'owner', scopes: ['*'] };

/** The one source of these roles: for members, for the API and for the reference. */
export const BUILT_IN_ROLES: readonly BuiltInRole[] = [
  OWNER,
  {
    id: '00000000-0000-8000-8000-000000000002',
    name: 'editor',
    scopes: ['content:read', 'content:write', 'media:read', 'media:write', 'forms:read'],
  },
  {
    id: '00000000-0000-8000-8000-000000000003',
    name: 'author',
    scopes: ['content:read', 'content:draft', 'media:read', 'media:write'],
  },
  { id: '00000000-0000-8000-8000-000000000004', name: 'support', scopes: ['forms:read', 'forms:write'] },
  { id: '00000000-0000-8000-8000-000000000005', name: 'viewer', scopes: ['read'] },
];

/** Returns the built-in role with this UUID. */
export function builtInRole(id: string): BuiltInRole | undefined {
  return BUILT_IN_ROLES.find((role) => role.id === id);
}
