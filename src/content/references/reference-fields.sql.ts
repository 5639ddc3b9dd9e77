import { fieldsSql } from '../fields.sql.js';

/** SQL for the content types `t` with a reference field that may name the type. */
const NAMES_IT = 'position(:typeId::uuid::text IN t.targets::text) > 0' as const;

export const NAMES_TYPE = `t.tenant_id = :tenantId AND ${NAMES_IT}` as const;

/**
 * The reference fields of all content types that may name the type. The definitions are read only of types whose `targets` have it. The
 * index of values is then read for each field, so what other entries there are makes no difference. Fields of different blocks with the
 * same name share their rows.
 */
export const REFERENCE_FIELDS = `(
      SELECT d.type, d.name, d.index_field,
        bool_or(d.definition ->> 'on_delete' = 'refuse') AS refuses, bool_or(d.definition ->> 'on_delete' = 'clear') AS clears
      FROM ${fieldsSql(NAMES_IT)} d
      JOIN content_types t ON t.tenant_id = :tenantId AND t.id = d.type
      WHERE position(:typeId::uuid::text IN (t.targets -> d.key)::text) > 0
      GROUP BY d.type, d.name, d.index_field
      OFFSET 0
    )` as const;
