import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getMetadataArgsStorage } from 'typeorm';
import type pg from 'pg';
import type { DataConfig } from '../config/data-config.js';
import { hasCitus, isDistributed } from '../database/servers/citus.js';
import { tablesOfModules } from '../modules/tables.js';
import { MANIFEST_ENTRY } from './archive-format.js';
import { ArchiveWriter } from './archive-writer.js';
import { BackupError } from './backup-error.js';
import { dumpTable, readSequences } from './dump-tables.js';
import { addKeys } from './generated-keys.js';
import type { Manifest, TableManifest } from './manifest.js';
import { lockMedia, MediaCopies } from './media-copies.js';
import { openSession } from './sessions.js';
import { findTables, quoted, type Table } from './tables.js';
import { MIGRATIONS } from './tables.sql.js';

interface BackupOptions {
  config: DataConfig;
  /** The URL of the database to read. */
  url: string;
  /** The path of the file to write. It must not exist. */
  path: string;
  /** Leaves `encryption-key` and `demo-key` out. */
  withoutKeys: boolean;
  /** Aborts the work, which then throws. */
  signal?: AbortSignal;
}

export interface BackupResult {
  manifest: Manifest;
  /** The size of the file. */
  bytes: number;
  /** The IDs of the first few files that are missing in `DATA_DIR/media`. */
  missing: string[];
  /** The tables of the schema that do not belong to Trivet. */
  leftOut: string[];
}

/**
 * Writes the database, the media files of `DATA_DIR` and its generated secrets into one file, while the service runs. All rows come from
 * one snapshot, and every row of `media` and `submission_files` has its file. Leaves no file behind if it throws.
 */
export async function backUp(options: BackupOptions): Promise<BackupResult> {
  const archive = await ArchiveWriter.create(options.path, options.signal);
  const sessions: pg.Client[] = [];
  const endSessions = () => Promise.all(sessions.map((session) => session.end().catch(() => undefined)));
  // Otherwise a session that waits for a lock would not notice the abort.
  options.signal?.addEventListener('abort', () => void endSessions());
  try {
    for (let count = 0; count < 2; count++) sessions.push(await openSession(options.url));
    const [client, guard] = sessions as [pg.Client, pg.Client];
    const result = await write(options, archive, client, guard);
    await archive.finish();
    return { ...result, bytes: archive.size };
  } catch (error) {
    await archive.discard();
    throw error;
  } finally {
    await endSessions();
  }
}

async function write(
  { config, withoutKeys }: BackupOptions,
  archive: ArchiveWriter,
  client: pg.Client,
  guard: pg.Client,
): Promise<Omit<BackupResult, 'bytes'>> {
  await assertMigrated(client);
  await assertOnOneServer(client);
  const inFolder = config.bucket === undefined;
  const media = inFolder ? await MediaCopies.begin(client, join(config.dataDir, 'media'), archive) : undefined;
  await media?.copyMost();
  if (media) await lockMedia(guard);
  const snapshot = await takeSnapshot(client);
  await media?.copyRest();
  if (media) await guard.query('ROLLBACK');

  const keys = withoutKeys ? [] : await addKeys(config, archive);
  const { ours, leftOut } = await ownTables(snapshot);
  const tables: TableManifest[] = [];
  for (const table of ours) tables.push(await dumpTable(client, table, archive));
  const missing = media?.missingCount ?? 0;
  const withFiles = tables.filter(({ name }) => media?.sources.some(({ table }) => table === name));
  const files = withFiles.reduce((sum, { rows }) => sum + rows, 0) - missing;
  const manifest: Manifest = {
    taken_at: snapshot.takenAt,
    trivet: await ownVersion(),
    extensions: config.extensions,
    postgres: snapshot.postgres,
    migrations: snapshot.migrations,
    tables,
    sequences: await readSequences(client),
    media: { stored_in: inFolder ? 'folder' : 'bucket', files: inFolder ? files : 0, missing },
    keys,
  };
  await archive.add(MANIFEST_ENTRY, Buffer.from(JSON.stringify(manifest, undefined, 2)));
  return { manifest, leftOut, missing: media?.missing ?? [] };
}

async function assertMigrated(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ found: boolean }>(`SELECT to_regclass('migrations') IS NOT NULL AS found`);
  if (!rows[0]?.found) throw new BackupError('This database contains no Trivet tables. There is nothing to back up.');
}

async function assertOnOneServer(client: pg.Client): Promise<void> {
  if (!(await hasCitus(client)) || !(await isDistributed(client))) return;
  throw new BackupError(
    'The tables are distributed over several servers, and no snapshot covers all of them. Back up the files of all servers: see docs/how-to/operate/distribute-the-database.md.',
  );
}

interface Snapshot {
  takenAt: string;
  postgres: string;
  migrations: string[];
  tables: Table[];
}

/** Begins the transaction in which everything is read. A concurrent migration waits for its end. */
async function takeSnapshot(client: pg.Client): Promise<Snapshot> {
  for (;;) {
    const before = (await findTables(client)).map(({ name }) => quoted(name));
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    // Lock before the first query, which takes the snapshot. From then on, the tables cannot change.
    await client.query(`LOCK TABLE ${before.join(', ')} IN ACCESS SHARE MODE`);
    const { rows } = await client.query<{ takenAt: Date; postgres: string }>(
      `SELECT now() AS "takenAt", current_setting('server_version') AS postgres`,
    );
    const tables = await findTables(client);
    if (tables.map(({ name }) => quoted(name)).join() === before.join()) {
      const names = await client.query<{ name: string }>(MIGRATIONS);
      return {
        takenAt: rows[0]!.takenAt.toISOString(),
        postgres: rows[0]!.postgres,
        migrations: names.rows.map(({ name }) => name),
        tables,
      };
    }
    await client.query('ROLLBACK');
  }
}

/**
 * Separates Trivet's tables from those of other programs in the schema. This is possible only if the schema has the migrations of this
 * version and of the extensions that are on.
 */
async function ownTables({ tables, migrations: ran }: Snapshot): Promise<{ ours: Table[]; leftOut: string[] }> {
  const { entities, migrations } = await tablesOfModules();
  const known = migrations.map(({ name }) => name);
  if (known.length !== ran.length || known.some((name) => !ran.includes(name))) return { ours: tables, leftOut: [] };
  const names = getMetadataArgsStorage()
    .filterTables(entities)
    .map(({ name }) => name);
  const ours = tables.filter(({ name }) => names.includes(name));
  return { ours, leftOut: tables.filter((table) => !ours.includes(table)).map(({ name }) => name) };
}

async function ownVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
  return version;
}
