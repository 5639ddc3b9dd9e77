import { declareStatement } from '../database/statements/statement.js';
import type { EncryptedTable } from '../modules/module-manifest.js';

const BATCH = 100;

/** A row with the texts of its encrypted columns, in their order: first `columns`, then `lists`. A list is JSON, as it is stored. */
export interface EncryptedRow {
  id: string;
  texts: readonly (string | null)[];
}

/** The parameters of `replace`: a number for each encrypted column. */
export function replacement(id: string, old: EncryptedRow['texts'], changed: EncryptedRow['texts']): Replacement {
  const numbered = (name: string, texts: EncryptedRow['texts']) =>
    texts.map((text, index) => [`${name}${index}`, text]);
  return Object.fromEntries([['id', id], ...numbered('old', old), ...numbered('new', changed)]) as Replacement;
}

type Replacement = Readonly<Record<string, string | null>>;

/** The statements for reencrypting a table. `next` returns fewer rows than `batch` if there are no more. */
export function reencryptionStatements({ table, columns, lists = [] }: EncryptedTable) {
  const all = [...columns, ...lists];
  const read = `SELECT id, ARRAY[${all.map((column) => `${column}::text`).join(', ')}] AS texts FROM ${table}`;
  const json = all.map((column) => (lists.includes(column) ? '::json' : ''));
  return {
    batch: BATCH,
    next: declareStatement<{ after: string }, EncryptedRow>(
      `reencrypt.next_${table}`,
      `${read} WHERE tenant_id = :tenantId AND id > :after AND coalesce(${all.map((column) => `${column}::text`).join(', ')}) IS NOT NULL
      ORDER BY id LIMIT ${BATCH}`,
    ),
    again: declareStatement<{ id: string }, EncryptedRow>(
      `reencrypt.again_${table}`,
      `${read} WHERE tenant_id = :tenantId AND id = :id`,
    ),
    /**
     * Compares and sets, so that a text that a request replaces concurrently is not overwritten. A parameter for each text: with elements of
     * an array, Citus ends the connection.
     */
    replace: declareStatement<Replacement, unknown>(
      `reencrypt.replace_${table}`,
      `UPDATE ${table} SET ${all.map((column, index) => `${column} = (:new${index}::text)${json[index]}`).join(', ')}
      WHERE tenant_id = :tenantId AND id = :id
        AND ${all.map((column, index) => `${column}::text IS NOT DISTINCT FROM :old${index}::text`).join(' AND ')}
      RETURNING 1`,
    ),
  };
}
