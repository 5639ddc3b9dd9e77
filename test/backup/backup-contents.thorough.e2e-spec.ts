import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { ArchiveReader } from '../../src/backup/archive-reader.js';
import { ArchiveWriter } from '../../src/backup/archive-writer.js';
import { backUp } from '../../src/backup/backup.js';
import { lockMedia, MediaCopies } from '../../src/backup/media-copies.js';
import { restore } from '../../src/backup/restore.js';
import { openSession } from '../../src/backup/sessions.js';
import type { DataConfig } from '../../src/config/data-config.js';
import { dataSourceOptions } from '../../src/database/data-source.js';
import { formatId, newUuid } from '../../src/ids/type-id.js';
import { loadModules } from '../../src/load-modules.js';
import { keyOf, PRIVATE } from '../../src/media/storage/media-storage.js';
import { contentsOf } from '../support/backups.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { describeOnPlain } from '../support/it-on-plain.js';
import { loadTables } from '../support/tables.js';
import { until } from '../support/until.js';

/** Tables as a later version might have them: every kind of column, and parents that sort after their children. */
class Later1963000000000 implements MigrationInterface {
  name = 'Later1963000000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE z_parents (id integer PRIMARY KEY)`);
    await queryRunner.query(`INSERT INTO z_parents VALUES (-1)`);
    await queryRunner.query(`
      CREATE TABLE "A ""child""" (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        parent integer REFERENCES z_parents (id),
        above bigint REFERENCES "A ""child""" (id),
        doubled bigint GENERATED ALWAYS AS (id * 2) STORED,
        "Some text" text, bytes bytea, number double precision, exact numeric, at timestamptz, span interval, document jsonb,
        list text[], words tsvector, transaction xid8 DEFAULT pg_current_xact_id()
      )`);
    await queryRunner.query(`ALTER TABLE "A ""child""" ADD COLUMN gone text`);
    await queryRunner.query(`ALTER TABLE "A ""child""" DROP COLUMN gone`);
    await queryRunner.query(`CREATE TABLE parts (at date, name text) PARTITION BY RANGE (at)`);
    await queryRunner.query(
      `CREATE TABLE parts_2026 PARTITION OF parts FOR VALUES FROM ('2026-01-01') TO ('2027-01-01')`,
    );
    await queryRunner.query(`CREATE SEQUENCE numbers START 5`);
    await queryRunner.query(`CREATE TABLE empty (id integer)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE empty, parts, "A ""child""", z_parents`);
  }
}

const ROWS = `
  INSERT INTO "A ""child""" (parent, above, "Some text", bytes, number, exact, at, span, document, list, words, transaction)
  VALUES (1, NULL, E'tab\\t newline\\n return\\r backslash \\\\ \\\\N \\\\.', '\\x00ff0a5c', 'NaN', 12345678901234567890.123456789,
      'infinity', '1 year 2 mons -3 days 04:05:06.789', '{"a": "\\n"}', '{"a,b","c\\"d",NULL,"{}"}', 'a:1A,16383 b:2', '18446744073709551'),
    (NULL, 1, NULL, NULL, 1e-300, NULL, '0044-03-15 12:00:00.123456 BC', NULL, NULL, '{}', NULL, DEFAULT),
    (2, 2, '', '', -0.0, 0, '2026-01-31 09:30:00.1+13', '0', 'null', NULL, '', DEFAULT)`;

// A database that is distributed cannot be backed up (citus.e2e-spec.ts).
describeOnPlain('the contents of a backup', () => {
  let directory: string;
  let database: TestDatabase;
  let config: DataConfig;
  beforeAll(() => loadModules());
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'trivet-contents-'));
    database = await createDatabase();
    config = { extensions: [], dataDir: join(directory, 'data'), databaseUrl: database.url, calledFrom: directory };
  });
  afterEach(async () => {
    await database.drop();
    await rm(directory, { recursive: true, force: true });
  });

  const backUpTo = (path: string) => backUp({ config, url: database.url, path, withoutKeys: false });

  it('include all tables and columns of every kind, and the positions of sequences', async () => {
    const known = [...(await loadTables()).migrations, Later1963000000000];
    const dataSource = await new DataSource(dataSourceOptions(database.url, 1, { migrations: known })).initialize();
    await dataSource.runMigrations();
    await dataSource.destroy();
    await database.query('INSERT INTO z_parents VALUES (1), (2)');
    await database.query(ROWS);
    await database.query(`INSERT INTO parts VALUES ('2026-05-01', 'may')`);
    await database.query(`SELECT nextval('numbers'), nextval('numbers')`);
    const path = join(directory, 'a.tar');
    await backUpTo(path);

    const target = await createDatabase({ empty: true });
    const openDatabase = () => Promise.resolve({ url: target.url, release: () => Promise.resolve() });
    await restore({ config, path, withoutKeys: false, openDatabase, known });
    for (const table of ['z_parents', '"A ""child"""', 'parts_2026', 'empty']) {
      const rows = `SELECT t::text AS row FROM ${table} t ORDER BY 1`;
      expect(await target.query(rows)).toEqual(await database.query(rows));
    }
    const next = `INSERT INTO "A ""child""" DEFAULT VALUES RETURNING id::int, doubled::int, nextval('numbers')::int AS number`;
    expect(await target.query(next)).toEqual([{ id: 4, doubled: 8, number: 7 }]);
    await target.drop();
  });

  it('omit tables of other applications in the same schema, and list them', async () => {
    await database.query('CREATE TABLE guests AS SELECT 1 AS id');
    const { leftOut, manifest } = await backUpTo(join(directory, 'a.tar'));
    expect(leftOut).toEqual(['guests']);
    expect(manifest.tables.map(({ name }) => name)).not.toContain('guests');
  });

  it('store large tables in several parts', async () => {
    await database.query(
      `INSERT INTO events (tenant_id, id, type, data, occurred_at)
      SELECT 'ten_a', gen_random_uuid(), 'entry.created', to_json(repeat('x', 1000) || n), now() FROM generate_series(1, 10000) n`,
    );
    const path = join(directory, 'a.tar');
    await backUpTo(path);
    const archive = await ArchiveReader.open(path);
    const parts: string[] = [];
    for await (const { name } of archive.entries()) if (name.startsWith('tables/events/')) parts.push(name);
    await archive.close();
    expect(parts).toEqual([1, 2, 3].map((number) => `tables/events/00000${number}.copy.gz`));
    expect((await contentsOf(path)).tables['events']).toHaveLength(10_000);
  });

  describe('files', () => {
    const ADD = {
      media: `INSERT INTO media (tenant_id, id, filename, alt, mime_type, extension, size, search, created_at)
        VALUES ('ten_a', $1, 'a', '', 'text/plain', 'txt', 5, '', now())`,
      submission: `INSERT INTO submission_files (tenant_id, id, form_id, submission_id, field, name, mime_type, size)
        VALUES ('ten_a', $1, gen_random_uuid(), gen_random_uuid(), 'cv', 'a.txt', 'text/plain', 5)`,
    };
    const addFile = async (kind: keyof typeof ADD) => {
      const id = newUuid();
      const key = keyOf(id, kind === 'media' ? undefined : PRIVATE);
      const path = join(config.dataDir, 'media', key);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, id);
      await database.query(ADD[kind], [id]);
      return { id, key };
    };
    /** Restores into an empty database and another folder. Returns the contents of the files. */
    const restored = async (path: string, keys: readonly string[]) => {
      const target = await createDatabase({ empty: true });
      const openDatabase = () => Promise.resolve({ url: target.url, release: () => Promise.resolve() });
      const dataDir = join(directory, 'restored');
      const { migrations: known } = await loadTables();
      await restore({ config: { ...config, dataDir }, path, withoutKeys: false, openDatabase, known });
      await target.drop();
      return Promise.all(keys.map((key) => readFile(join(dataDir, 'media', key), 'utf8')));
    };
    beforeEach(() => database.query(`INSERT INTO tenants VALUES ('ten_a', 'A', now())`));

    it('of media and of submissions are included and restored', async () => {
      const added = [await addFile('media'), await addFile('submission'), await addFile('submission')];
      const lost = newUuid();
      await database.query(ADD.submission, [lost]);
      const path = join(directory, 'a.tar');
      const { manifest, missing } = await backUpTo(path);
      expect([manifest.media, missing]).toEqual([
        { stored_in: 'folder', files: 3, missing: 1 },
        [formatId('fil', lost)],
      ]);
      const contents = await restored(
        path,
        added.map(({ key }) => key),
      );
      expect(contents).toEqual(added.map(({ id }) => id));
    });

    it('of an earlier version, which knew no files of submissions, are restored', async () => {
      await database.query('DROP TABLE submission_files');
      await database.query(`DELETE FROM migrations WHERE name LIKE 'SubmissionFiles%'`);
      const { id, key } = await addFile('media');
      const path = join(directory, 'a.tar');
      await backUpTo(path);
      expect(await restored(path, [key])).toEqual([id]);
    });
  });

  describe('media files', () => {
    let client: pg.Client;
    let guard: pg.Client;
    let archive: ArchiveWriter;
    let copies: MediaCopies;
    const folder = () => join(directory, 'media');
    beforeEach(async () => {
      await database.query(`INSERT INTO tenants VALUES ('ten_a', 'A', now())`);
      client = await openSession(database.url);
      guard = await openSession(database.url);
      archive = await ArchiveWriter.create(join(directory, 'a.tar'));
      copies = await MediaCopies.begin(client, folder(), archive);
    });
    afterEach(async () => {
      await Promise.all([client.end(), guard.end()]);
    });

    async function addRow(): Promise<string> {
      const id = newUuid();
      await database.query(
        `INSERT INTO media (tenant_id, id, filename, alt, mime_type, extension, size, search, created_at)
        VALUES ('ten_a', $1, 'a', '', 'text/plain', 'txt', 5, '', now())`,
        [id],
      );
      return id;
    }

    async function addBytes(id: string): Promise<void> {
      const path = join(folder(), keyOf(id));
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, id);
    }

    const add = async (): Promise<string> => {
      const id = await addRow();
      await addBytes(id);
      return id;
    };

    /** Deletes as the service does: first the row, then the bytes. */
    const remove = async (id: string): Promise<void> => {
      await database.query('DELETE FROM media WHERE id = $1', [id]);
      await rm(join(folder(), keyOf(id)));
    };

    async function copied(): Promise<Record<string, string>> {
      await archive.finish();
      const reader = await ArchiveReader.open(join(directory, 'a.tar'));
      const files: Record<string, string> = {};
      for await (const entry of reader.entries()) {
        if (entry.name.startsWith('media/')) files[entry.name] = await reader.text(entry);
      }
      await reader.close();
      return files;
    }

    it('are copied for every row of the snapshot, and deletions wait until they are copied', async () => {
      const [early, gone] = [await add(), await add()];
      await copies.copyMost();
      await remove(gone);
      const late = await add();
      await lockMedia(guard);
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      const { rows } = await client.query<{ id: string }>('SELECT id FROM media ORDER BY id');
      const removing = remove(late);
      await until(async () => {
        const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'DELETE FROM media%'`;
        // Must run outside a transaction, where PostgreSQL would repeat the first result of pg_stat_activity.
        return (await database.query(waiting)).length === 1;
      });
      await copies.copyRest();
      await guard.query('ROLLBACK');
      await removing;

      expect(rows.map(({ id }) => id)).toEqual([early, late]);
      const files = await copied();
      for (const id of [early, late]) expect(files[`media/${keyOf(id)}`]).toBe(id);
      expect(copies.missingCount).toBe(0);
    });

    it('are each copied once', async () => {
      const ids = [];
      for (let count = 0; count < 60; count++) ids.push(await add());
      await copies.copyMost();
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      await copies.copyRest();
      expect(Object.keys(await copied())).toHaveLength(60);
    });

    it('that are missing are listed', async () => {
      await add();
      const id = await addRow();
      await copies.copyMost();
      await copies.copyRest();
      expect(copies.missing).toEqual([formatId('med', id)]);
      await archive.discard();
    });

    it('without a row are omitted', async () => {
      await addBytes(newUuid());
      await copies.copyMost();
      await copies.copyRest();
      expect(await copied()).toEqual({});
    });

    it('do not block writers for long while another transaction delays the lock', async () => {
      await client.query('BEGIN');
      await client.query(`UPDATE media SET alt = 'x'`);
      const locking = lockMedia(guard);
      // Waits behind the requested lock, and proceeds when that request is withdrawn for a moment.
      await database.query(`UPDATE media SET alt = 'y'`);
      await client.query('COMMIT');
      await locking;
      await archive.discard();
    });
  });
});
