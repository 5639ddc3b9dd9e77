import { type NoParameters, statement } from '../../database/statements/statement.js';

/** A role of a tenant, as it is stored. */
export interface RoleRow {
  id: string;
  name: string;
  /** Narrowed scopes name the content type by its public ID. */
  scopes: string[];
  /** Null: the members may change the values of all locales. */
  locales: string[] | null;
}

interface NewRole {
  id: string;
  name: string;
  nameKey: string;
  scopes: readonly string[];
  locales: readonly string[] | null;
}

const COLUMNS = 'id, name, scopes, locales';

/** A tenant has at most 100 roles. */
export const LIST_ROLES = statement<NoParameters, RoleRow>()(
  'roles.list',
  `SELECT ${COLUMNS} FROM roles WHERE tenant_id = :tenantId ORDER BY id`,
);

export const FIND_ROLE = statement<{ id: string }, RoleRow>()(
  'roles.find',
  `SELECT ${COLUMNS} FROM roles WHERE tenant_id = :tenantId AND id = :id`,
);

export const FIND_ROLE_BY_NAME = statement<{ nameKey: string }, RoleRow>()(
  'roles.find_by_name',
  `SELECT ${COLUMNS} FROM roles WHERE tenant_id = :tenantId AND name_key = :nameKey`,
);

export const COUNT_ROLES = statement<NoParameters, { roles: number }>()(
  'roles.count',
  'SELECT count(*) AS roles FROM roles WHERE tenant_id = :tenantId',
);

/** Returns no row if another role has the name. */
export const INSERT_ROLE = statement<NewRole, { id: string }>()(
  'roles.insert',
  `INSERT INTO roles (tenant_id, id, name, name_key, scopes, locales)
    VALUES (:tenantId, :id, :name, :nameKey, :scopes::text[], :locales::text[])
    ON CONFLICT (tenant_id, name_key) DO NOTHING RETURNING id`,
);

export const UPDATE_ROLE = statement<NewRole, never>()(
  'roles.update',
  `UPDATE roles SET name = :name, name_key = :nameKey, scopes = :scopes::text[], locales = :locales::text[]
    WHERE tenant_id = :tenantId AND id = :id`,
);

export const DELETE_ROLE = statement<{ id: string }, never>()(
  'roles.delete',
  'DELETE FROM roles WHERE tenant_id = :tenantId AND id = :id',
);

/** How many members and invited persons have the role, or will have it without the groups of a provider. */
export const COUNT_MEMBERS_WITH = statement<{ id: string }, { members: number }>()(
  'roles.count_members',
  'SELECT count(*) AS members FROM members WHERE tenant_id = :tenantId AND (role_id = :id OR own_role_id = :id)',
);
