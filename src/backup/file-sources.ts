import type pg from 'pg';
import { keyOf, PRIVATE } from '../media/storage/media-storage.js';

/** A table whose rows have files. */
export interface FileSource {
  table: string;
  /** The prefix of the public IDs. */
  prefix: 'med' | 'fil';
  /** Returns the key of a file in the storage. */
  keyOf: (id: string) => string;
}

const SOURCES: readonly FileSource[] = [
  { table: 'media', prefix: 'med', keyOf: (id) => keyOf(id) },
  { table: 'submission_files', prefix: 'fil', keyOf: (id) => keyOf(id, PRIVATE) },
];

/** Returns the tables with files that the database has. Those of an earlier version of the service may lack some. */
export async function fileSources(client: pg.ClientBase): Promise<readonly FileSource[]> {
  const { rows } = await client.query<{ table: string }>(
    'SELECT n.table FROM unnest($1::text[]) AS n ("table") WHERE to_regclass(n.table) IS NOT NULL',
    [SOURCES.map(({ table }) => table)],
  );
  return SOURCES.filter((source) => rows.some(({ table }) => table === source.table));
}
