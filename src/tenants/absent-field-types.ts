import type { Logger } from '@nestjs/common';
import type { Database } from '../database/database.js';
import { serviceStatement } from '../database/statements/statement.js';
import type { FieldKind } from '../fields/field-definition.js';
import { typesOf } from '../fields/registry.js';

/** A type of field that no room declares, and where it is used. */
interface Absent {
  type: string;
  users: number;
  tenants: number;
}

/** The tables whose rows have definitions of fields. */
interface DefiningTable {
  table: 'content_types' | 'forms';
  kind: FieldKind;
  /** What its rows are called. */
  noun: string;
}

/** Makes the check of one table: it warns of each type of field that is in use although its extension is turned off. */
export function absentTypesCheck({ table, kind, noun }: DefiningTable) {
  const find = serviceStatement<{ known: readonly string[] }, Absent>()(
    `${table}.absent_field_types`,
    `SELECT d.type, count(DISTINCT d.id)::int AS users, count(DISTINCT d.tenant_id)::int AS tenants
      FROM (
        SELECT t.tenant_id, t.id, p.type
        FROM ${table} t CROSS JOIN LATERAL jsonb_array_elements_text(
          jsonb_path_query_array(t.fields::jsonb, '$[*].type') || jsonb_path_query_array(t.fields::jsonb, '$.**.fields[*].type')
        ) AS p (type)
      ) d
      WHERE NOT d.type = ANY (:known::text[]) GROUP BY d.type ORDER BY d.type`,
  );
  return async (database: Database, logger: Logger): Promise<void> => {
    const known = [...typesOf(kind).keys()];
    const absent = await database.acrossTenants(find, { known }).catch((error: unknown) => {
      logger.warn({ err: error }, `The ${noun} could not be checked for types of fields whose extension is turned off`);
      return [];
    });
    for (const { type, users, tenants } of absent) {
      logger.warn(
        { field_type: type, [table]: users, tenants },
        `The field type ${type} is in use in ${users} ${noun} of ${tenants} tenants, but its extension is turned off: its values are shown as JSON and cannot be changed`,
      );
    }
  };
}
