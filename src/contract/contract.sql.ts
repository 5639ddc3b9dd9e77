import { keepToTypes, type OfTypes } from '../content/narrowed-lists.js';
import { type NoParameters, statement } from '../database/statements/statement.js';

/** What tells whether types, locales or forms have changed: their IDs and versions as one text. */
interface SchemaState {
  digest: string;
}

/** The bytes of all definitions. */
export interface Size {
  bytes: number;
}

const SIZE = 'SELECT coalesce(sum(octet_length(fields::text)), 0)::float8 AS bytes' as const;

export const SIZE_OF_TYPES = statement<OfTypes, Size>()(
  'contract.size_of_types',
  `${SIZE} FROM content_types WHERE tenant_id = :tenantId AND ${keepToTypes('id')}`,
);

export const SIZE_OF_FORMS = statement<NoParameters, Size>()(
  'contract.size_of_forms',
  `${SIZE} FROM forms WHERE tenant_id = :tenantId`,
);

export const STATE_OF_TYPES = statement<OfTypes, SchemaState>()(
  'contract.state_of_types',
  `SELECT concat(md5(string_agg(concat(id, revision), ',' ORDER BY id)), ' ', (
     SELECT revision FROM tenant_locales WHERE tenant_id = :tenantId
   )) AS digest
   FROM content_types WHERE tenant_id = :tenantId AND ${keepToTypes('id')}`,
);

export const STATE_OF_FORMS = statement<NoParameters, SchemaState>()(
  'contract.state_of_forms',
  `SELECT coalesce(md5(string_agg(concat(id, version), ',' ORDER BY id)), '') AS digest
   FROM forms WHERE tenant_id = :tenantId`,
);

/** `fields` and `targets` are JSON text. */
export interface TypeRow {
  id: string;
  slug: string;
  name: string;
  isPublic: boolean;
  fields: string;
  targets: string;
}

/** A content type and the number of its changes. */
export interface NamedTypeRow {
  id: string;
  name: string;
  revision: number;
  fields: string;
}

const NAMED_TYPE = 'SELECT id, name, revision, fields FROM content_types WHERE tenant_id = :tenantId' as const;

export const TYPE_BY_ID = statement<{ id: string }, NamedTypeRow>()(
  'contract.type_by_id',
  `${NAMED_TYPE} AND id = :id`,
);

export const TYPE_BY_SLUG = statement<{ slug: string }, NamedTypeRow>()(
  'contract.type_by_slug',
  `${NAMED_TYPE} AND slug = :slug`,
);

export const TYPES = statement<OfTypes, TypeRow>()(
  'contract.types',
  `SELECT id, slug, name, public IS TRUE AS "isPublic", fields, targets
   FROM content_types WHERE tenant_id = :tenantId AND ${keepToTypes('id')} ORDER BY slug COLLATE "C"`,
);

export interface ContractFormRow {
  slug: string;
  name: string;
  fields: string;
}

export const CONTRACT_FORMS = statement<NoParameters, ContractFormRow>()(
  'contract.forms',
  'SELECT slug, name, fields FROM forms WHERE tenant_id = :tenantId ORDER BY slug COLLATE "C"',
);
