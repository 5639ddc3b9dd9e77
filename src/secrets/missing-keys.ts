import type pg from 'pg';
import type { EncryptedTable } from '../modules/module-manifest.js';
import { keyIdOf, keyIdIn } from './secret-cipher.js';

/** Returns the IDs of the encryption keys that the stored texts need and that are not among `keys`. */
export async function findMissingKeys(
  client: pg.ClientBase,
  tables: readonly EncryptedTable[],
  keys: readonly Buffer[],
): Promise<string[]> {
  const present = keys.map(keyIdOf);
  const needed = new Set<string>();
  for (const table of tables) {
    // A backup may be older than the table.
    const { rows: found } = await client.query<{ exists: boolean }>('SELECT to_regclass($1) IS NOT NULL AS exists', [
      table.table,
    ]);
    if (!found[0]?.exists) continue;
    const { rows } = await client.query<{ encrypted: string }>(allOf(table));
    for (const { encrypted } of rows) needed.add(keyIdIn(encrypted) ?? '');
  }
  return [...needed].filter((id) => id !== '' && !present.includes(id)).sort();
}

/** Reads all tenants, but only to find the keys that are needed. */
function allOf({ table, columns, lists = [] }: EncryptedTable): string {
  const texts = columns.map((column) => `SELECT ${column} AS encrypted FROM ${table} WHERE ${column} IS NOT NULL`);
  const listed = lists.map(
    (column) => `SELECT each->>'secret' AS encrypted FROM ${table}, json_array_elements(${column}) AS each
      WHERE (each->>'until')::timestamptz > now()`,
  );
  return [...texts, ...listed].join(' UNION ALL ');
}
