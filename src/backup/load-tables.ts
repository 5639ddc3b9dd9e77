import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { tableOf } from './archive-format.js';
import type { ArchiveReader } from './archive-reader.js';
import { BackupError } from './backup-error.js';
import type { Manifest } from './manifest.js';
import { findTables, quoted } from './tables.js';

/** Loads the rows of all tables in the client's transaction. Throws if they are not exactly what the manifest says. */
export async function loadTables(client: pg.ClientBase, archive: ArchiveReader, manifest: Manifest): Promise<void> {
  await emptyTables(client, manifest);
  const loaded = new Map<string, number>();
  for await (const entry of archive.entries()) {
    const name = tableOf(entry.name);
    if (name === undefined) continue;
    const columns = manifest.tables.find((table) => table.name === name)?.columns;
    if (!columns) throw archive.damaged();
    const copy = client.query(copyFrom(`COPY ${quoted(name)} (${quoted(...columns)}) FROM STDIN`));
    await pipeline(archive.content(entry), createGunzip(), copy);
    loaded.set(name, (loaded.get(name) ?? 0) + copy.rowCount);
  }
  for (const { name, rows } of manifest.tables) {
    const found = loaded.get(name) ?? 0;
    if (found !== rows) throw new BackupError(`The table ${name} has ${found} rows instead of ${rows}.`);
  }
  for (const { name, last_value: last, is_called: isCalled } of manifest.sequences) {
    await client.query('SELECT setval($1::regclass, $2::bigint, $3)', [quoted(name), last, isCalled]);
  }
}

/** Empties all tables, because migrations may have written rows that the backup contains too. */
async function emptyTables(client: pg.ClientBase, { tables }: Manifest): Promise<void> {
  const present = (await findTables(client)).map(({ name }) => name);
  const unknown = tables.find(({ name }) => !present.includes(name));
  if (unknown)
    throw new BackupError(`The backup contains the table ${unknown.name}, which the migrations do not create.`);
  await client.query(`TRUNCATE ${quoted(...present)}`);
}
