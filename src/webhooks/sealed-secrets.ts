import type pg from 'pg';
import { keyIdOf, sealingKeyOf } from './secret-box.js';

/** Reads all tenants, but only to find the keys that are needed. */
const SEALED = `
  SELECT secret AS sealed FROM webhooks WHERE secret IS NOT NULL
  UNION ALL SELECT headers FROM webhooks WHERE headers IS NOT NULL
  UNION ALL SELECT signing_key FROM webhooks WHERE signing_key IS NOT NULL
  UNION ALL SELECT each->>'secret' FROM webhooks, json_array_elements(previous_secrets) AS each
    WHERE (each->>'until')::timestamptz > now()`;

/** Returns the IDs of the encryption keys that the stored secrets of webhooks need and that are not among `keys`. */
export async function findMissingKeys(client: pg.ClientBase, keys: readonly Buffer[]): Promise<string[]> {
  const present = keys.map(keyIdOf);
  const { rows } = await client.query<{ sealed: string }>(SEALED);
  const needed = new Set(rows.flatMap(({ sealed }) => sealingKeyOf(sealed) ?? []));
  return [...needed].filter((id) => !present.includes(id)).sort();
}
