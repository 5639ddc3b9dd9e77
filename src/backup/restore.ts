import { join } from 'node:path';
import type pg from 'pg';
import { DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import { currentEncryptionKeys, type DataConfig } from '../config/data-config.js';
import { dataSourceOptions, MIGRATION_LOCK } from '../database/data-source.js';
import type { ReachedDatabase } from '../database/servers/reach-database.js';
import { hasNoService } from '../database/servers/service-sessions.js';
import type { MigrationClass } from '../modules/module-manifest.js';
import { tablesOfModules } from '../modules/tables.js';
import { findMissingKeys } from '../secrets/missing-keys.js';
import { ArchiveReader } from './archive-reader.js';
import { BackupError } from './backup-error.js';
import { endAccess } from './ended-access.js';
import { assertNoOtherKeys, type GeneratedKey, placeKeys, readKeys } from './generated-keys.js';
import { loadTables } from './load-tables.js';
import { type Manifest, readManifest } from './manifest.js';
import { MediaPlacement } from './media-placement.js';
import { OBJECTS } from './tables.sql.js';

interface RestoreOptions {
  config: DataConfig;
  /** The path of the backup. */
  path: string;
  /** Does not write `encryption-key` and `demo-key`. */
  withoutKeys: boolean;
  /** Called after the backup was verified. Must return a database that no service uses (see `claimDatabase`). */
  openDatabase: () => Promise<ReachedDatabase>;
  /** Every migration that this version and its extensions know. */
  known?: MigrationClass[];
  /** Aborts the work, which then throws. */
  signal?: AbortSignal;
}

interface RestoreResult {
  manifest: Manifest;
  /** IDs of encryption keys that stored secrets need and that are not configured. */
  missingKeys: string[];
}

/**
 * Restores a backup into an empty database and an empty `DATA_DIR`. Verifies the whole file first. Tables and rows are written in one
 * transaction, which commits when everything else is in place. Until then, a service that starts finds an empty database.
 */
export async function restore(options: RestoreOptions): Promise<RestoreResult> {
  const { config, path, withoutKeys, openDatabase, signal } = options;
  const known = options.known ?? (await tablesOfModules()).migrations;
  const archive = await ArchiveReader.open(path, signal);
  try {
    await archive.verify();
    const manifest = await readManifest(archive);
    assertKnown(manifest, known);
    if (config.bucket !== undefined && manifest.media.files > 0) {
      throw new BackupError(
        'The backup contains media files, which can only be restored into a folder. Restore it without S3_BUCKET.',
      );
    }
    const media = new MediaPlacement(join(config.dataDir, 'media'));
    if (manifest.media.files > 0) await media.assertEmpty();
    const keys = withoutKeys ? [] : await readKeys(archive);
    await assertNoOtherKeys(config.dataDir, keys);

    const { url, release } = await openDatabase();
    try {
      const missingKeys = await load({ url, archive, manifest, media, keys, config, known });
      return { manifest, missingKeys };
    } finally {
      await release();
    }
  } finally {
    await archive.close();
  }
}

interface Load {
  url: string;
  archive: ArchiveReader;
  manifest: Manifest;
  media: MediaPlacement;
  keys: GeneratedKey[];
  config: DataConfig;
  known: MigrationClass[];
}

async function load({ url, archive, manifest, media, keys, config, known }: Load): Promise<string[]> {
  const needed = known.filter(({ name }) => manifest.migrations.includes(name));
  const dataSource = await new DataSource(
    dataSourceOptions(url, 1, { migrations: needed, applicationName: 'trivet restore' }),
  ).initialize();
  const runner = dataSource.createQueryRunner();
  try {
    const client = (await runner.connect()) as pg.PoolClient;
    await claim(client);
    await runner.startTransaction();
    await client.query('SET LOCAL statement_timeout = 0');
    await client.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    await migrate(dataSource, runner);
    await loadTables(client, archive, manifest);
    await endAccess(client, manifest);
    const files = await media.extract(client, archive);
    if (files !== manifest.media.files) {
      throw new BackupError(`The backup contains ${files} media files instead of ${manifest.media.files}.`);
    }
    await placeKeys(config.dataDir, keys);
    const { encrypted } = await tablesOfModules();
    const missingKeys = await findMissingKeys(client, encrypted, await currentEncryptionKeys(config));
    await media.place();
    await runner.commitTransaction();
    await client.query('SET statement_timeout = 0');
    await client.query('ANALYZE');
    return missingKeys;
  } finally {
    // Without a commit, this rolls the transaction back.
    await runner.release().catch(() => undefined);
    await dataSource.destroy();
    await media.discard();
  }
}

function assertKnown({ migrations: ran, trivet, extensions = [] }: Manifest, known: MigrationClass[]): void {
  const unknown = ran.find((name) => !known.some((migration) => migration.name === name));
  if (unknown === undefined) return;
  const needed = extensions.length > 0 ? `Trivet ${trivet} and EXTENSIONS=${extensions.join(',')}` : `Trivet ${trivet}`;
  const other = extensions.length > 0 ? '' : ', or with the extension that has it, in EXTENSIONS';
  throw new BackupError(
    `The backup is from ${needed}, and needs the migration ${unknown}, which this version and the extensions that are on ` +
      `do not have. Restore it with ${needed}${other}.`,
  );
}

/** Keeps services that start in the meantime from migrating. Throws a BackupError if the database is in use or not empty. */
async function claim(client: pg.ClientBase): Promise<void> {
  if (!(await hasNoService(client, () => takeLock(client)))) {
    throw new BackupError('Trivet is running on this database. Stop it, and restore into an empty database.');
  }
  const { rows } = await client.query<{ name: string }>(OBJECTS);
  if (rows[0])
    throw new BackupError(`The database is not empty (it contains ${rows[0].name}). Restore into an empty database.`);
}

async function takeLock(client: pg.ClientBase): Promise<boolean> {
  const lock = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [MIGRATION_LOCK]);
  return lock.rows[0]?.taken === true;
}

/** Migrates in the runner's transaction, so that a failure leaves no tables. */
async function migrate(dataSource: DataSource, runner: QueryRunner): Promise<void> {
  const executor = new MigrationExecutor(dataSource, runner);
  executor.transaction = 'none';
  await executor.executePendingMigrations();
}
