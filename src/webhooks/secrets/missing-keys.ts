import type pg from 'pg';
import { keyIdOf, keyIdIn } from './secret-cipher.js';

/** Reads all tenants, but only to find the keys that are needed. */
const ENCRYPTED = `
  SELECT secret AS encrypted FROM webhooks WHERE secret IS NOT NULL
  UNION ALL SELECT headers FROM webhooks WHERE headers IS NOT NULL
  UNION ALL SELECT signing_key FROM webhooks WHERE signing_key IS NOT NULL
  UNION ALL SELECT each->>'secret' FROM webhooks, json_array_elements(previous_secrets) AS each
    WHERE (each->>'until')::timestamptz > now()`;

/** Returns the IDs of the encryption keys that the stored secrets of webhooks need and that are not among `keys`. */
export async function findMissingKeys(client: pg.ClientBase, keys: readonly Buffer[]): Promise<string[]> {
  const present = keys.map(keyIdOf);
  const { rows } = await client.query<{ encrypted: string }>(ENCRYPTED);
  const needed = new Set(rows.flatMap(({ encrypted }) => keyIdIn(encrypted) ?? []));
  return [...needed].filter((id) => !present.includes(id)).sort();
}
