import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { MANIFEST_ENTRY } from '../../src/backup/archive-format.js';
import { ArchiveReader } from '../../src/backup/archive-reader.js';
import { ArchiveWriter } from '../../src/backup/archive-writer.js';
import { readArguments } from '../../src/backup/arguments.js';
import type { Manifest } from '../../src/backup/manifest.js';
import { restore } from '../../src/backup/restore.js';
import { loadDataConfig } from '../../src/config/data-config.js';
import { claimDatabase } from '../../src/database/servers/reach-database.js';
import { keyIdOf } from '../../src/secrets/secret-cipher.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { backUpCommand, Command, embeddedPlace, restoreCommand } from '../support/backups.js';
import { createType } from '../support/content.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { describeOnPlain } from '../support/it-on-plain.js';
import { build } from '../support/service.js';
import { until } from '../support/until.js';
import { upload } from '../support/upload.js';

const TENANT = { id: 'ten_acme', key: 'acme-key' };
const TENANTS = JSON.stringify([{ id: TENANT.id, name: 'Acme', api_keys: [{ key: TENANT.key }] }]);
const OWN_KEY = Buffer.alloc(32, 9).toString('base64');

jest.setTimeout(240_000);

// A database that is distributed cannot be backed up (citus.e2e-spec.ts).
describeOnPlain('restore', () => {
  let directory: string;
  /** The data directory of the service that was backed up. */
  let source: string;
  let file: string;
  let database: TestDatabase;
  let app: TestApp;
  let target: TestDatabase;
  let dataDir: string;
  const onTarget = () => ({ DATA_DIR: dataDir, DATABASE_URL: target.url });

  beforeAll(build);
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'trivet-restore-'));
    source = join(directory, 'source');
    file = join(directory, 'backup.tar');
    database = await createDatabase();
    app = await startApp({ TENANTS, DATA_DIR: source, WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' }, { database });
    const tenant: TestTenant = { ...TENANT, http: app.client(`Bearer ${TENANT.key}`) };
    const type = await createType(tenant, [{ name: 'title', type: 'text' }]);
    await tenant.http.post(type.entries, { fields: { title: 'Soda bread' } }).expect(201);
    await tenant.http
      .post(`/v1/webhooks/${TENANT.id}`, { url: 'https://localhost:1/', events: ['entry.deleted'], secret: 'hush' })
      .expect(201);
    for (const text of ['first', 'second']) await upload(app, tenant, Buffer.from(`the ${text} file`), `${text}.txt`);
    expect(await backUpCommand([file], { DATA_DIR: source, DATABASE_URL: database.url })).toMatchObject({
      code: 0,
      stderr: '',
    });
  });
  afterAll(async () => {
    await app.close();
    await database.drop();
    await rm(directory, { recursive: true, force: true });
  });
  beforeEach(async () => {
    target = await createDatabase({ empty: true });
    dataDir = join(directory, randomBytes(4).toString('hex'));
  });
  afterEach(() => target.drop());

  const tables = async () =>
    (
      await target.query<{ name: string }>(
        `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace`,
      )
    ).map(({ name }) => name);
  /** The names of all files below a directory, without those of PostgreSQL. */
  const below = async (path: string) =>
    (await readdir(path, { recursive: true }).catch(() => [])).filter((name) => !name.startsWith('postgres'));

  /** Writes a copy of the backup with changed contents and a correct checksum; returns its path. */
  async function altered(change: (name: string, content: Buffer) => Buffer | undefined): Promise<string> {
    const path = join(directory, `${randomBytes(4).toString('hex')}.tar`);
    const reader = await ArchiveReader.open(file);
    const writer = await ArchiveWriter.create(path);
    for await (const entry of reader.entries()) {
      if (entry.name === 'trivet-backup' || entry.name === 'sha256') continue;
      const chunks: Buffer[] = [];
      for await (const chunk of reader.content(entry)) chunks.push(chunk as Buffer);
      const content = change(entry.name, Buffer.concat(chunks));
      if (content) await writer.add(entry.name, content);
    }
    await writer.finish();
    await reader.close();
    return path;
  }

  const withManifest = (change: (manifest: Manifest) => void) =>
    altered((name, content) => {
      if (name !== MANIFEST_ENTRY) return content;
      const manifest = JSON.parse(content.toString()) as Manifest;
      change(manifest);
      return Buffer.from(JSON.stringify(manifest));
    });

  const run = (path: string, env: Record<string, string>, withoutKeys = false) => {
    const config = loadDataConfig(env);
    const log = { info: () => undefined, error: console.error };
    return restore({ config, path, withoutKeys, openDatabase: () => claimDatabase({ ...config, log }) });
  };

  /** Checks that the restore throws a one-line error that matches, and changes nothing. */
  async function expectRefusal(path: string, env: Record<string, string>, line: RegExp): Promise<void> {
    const before = await below(env['DATA_DIR']!);
    const error = await run(path, env).then(
      () => undefined,
      (thrown: Error) => thrown,
    );
    expect(error?.message).toMatch(line);
    expect(error?.message).not.toContain('\n');
    expect(await below(env['DATA_DIR']!)).toEqual(before);
  }

  it('writes rows, files and generated keys for their owner only, and reports what it did', async () => {
    const { code, stdout, stderr } = await restoreCommand([file], onTarget());
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^Restored \d+ tables with \d+ rows and 2 media files\. The backup was taken at 20\S+Z\.\n$/,
    );
    expect(await target.query(`SELECT fields->>'title' AS title FROM entries`)).toEqual([{ title: 'Soda bread' }]);
    for (const name of await below(dataDir)) {
      const { mode } = await stat(join(dataDir, name));
      if (name !== 'media') expect([name, mode & 0o77]).toEqual([name, 0]);
    }
    expect((await below(dataDir)).filter((name) => /key|original|partial/.test(name)).sort()).toEqual([
      'encryption-key',
      expect.stringMatching(/^media\/.*\/original$/),
      expect.stringMatching(/^media\/.*\/original$/),
    ]);
    expect(await readFile(join(dataDir, 'encryption-key'))).toEqual(await readFile(join(source, 'encryption-key')));
  });

  it('as a command resolves the file from the directory of the npm call, and exits with 1 after one line if it fails', async () => {
    await writeFile(join(directory, 'cut.tar'), (await readFile(file)).subarray(0, 5_000));
    expect(await restoreCommand(['cut.tar'], { ...onTarget(), INIT_CWD: directory })).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `${join(directory, 'cut.tar')} is damaged or incomplete.\n`,
    });
    const usage = 'Usage: npm run restore -- [--without-keys] FILE\n';
    for (const args of [[], [''], ['a', 'b'], ['--force', 'a']]) {
      expect(() => readArguments(args, usage, '/')).toThrow(usage);
    }
    expect(readArguments(['--without-keys', 'a/b'], usage, '/c')).toEqual({ path: '/c/a/b', withoutKeys: true });
  });

  describe('rejects', () => {
    it('a database that is not empty', async () => {
      await target.query('CREATE TABLE guests (name text)');
      await expectRefusal(file, onTarget(), /The database is not empty \(it contains guests\)/);
      expect(await tables()).toEqual(['guests']);
    });

    it('a database that a service uses', async () => {
      await expectRefusal(
        file,
        { DATA_DIR: dataDir, DATABASE_URL: database.url },
        /Trivet is running on this database/,
      );
    });

    it('a DATA_DIR whose embedded server is in use or has data', async () => {
      const place = embeddedPlace(dataDir);
      const running = await place.open();
      await running.query('CREATE TABLE guests (name text)');
      await expectRefusal(file, place.env, /Another Trivet process is running on/);
      await place.close();
      await expectRefusal(file, place.env, /The database is not empty \(it contains guests\)/);
    });

    it('a media folder that is not empty', async () => {
      await mkdir(join(dataDir, 'media', 'aa'), { recursive: true });
      await expectRefusal(file, onTarget(), /media is not empty/);
      expect(await tables()).toEqual([]);
    });

    it('a DATA_DIR with another encryption key, unless it runs without keys', async () => {
      await mkdir(dataDir);
      await writeFile(join(dataDir, 'encryption-key'), OWN_KEY);
      await expectRefusal(file, onTarget(), /encryption-key differs from the key in the backup/);
      const { missingKeys } = await run(file, onTarget(), true);
      expect(missingKeys).toEqual([keyIdOf(app.config.encryptionKeys[0]!)]);
      expect(await readFile(join(dataDir, 'encryption-key'), 'utf8')).toBe(OWN_KEY);
    });

    it('media files for a service with a bucket', async () => {
      const s3 = { S3_BUCKET: 'b', S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 's' };
      await expectRefusal(file, { ...onTarget(), ...s3 }, /Restore it without S3_BUCKET/);
    });

    it('a backup with unknown migrations', async () => {
      const later = await withManifest(({ migrations }) => migrations.push('Later1963000000000'));
      await expectRefusal(
        later,
        onTarget(),
        /is from Trivet 0\.1\.0 .*and needs the migration Later1963000000000, which this version and the extensions that are on do not have/,
      );
    });

    it('a file that does not exist, or is not a backup', async () => {
      await expectRefusal(join(directory, 'absent.tar'), onTarget(), /absent\.tar cannot be read \(ENOENT\)/);
      await expectRefusal(join(process.cwd(), 'README.md'), onTarget(), /README\.md is not a Trivet backup/);
    });

    it('a truncated or altered backup, before it changes anything', async () => {
      const bytes = await readFile(file);
      const broken = join(directory, 'broken.tar');
      for (const length of [300, 5_000, bytes.length - 512]) {
        await writeFile(broken, bytes.subarray(0, length));
        await expectRefusal(broken, onTarget(), /damaged or incomplete|is not a Trivet backup/);
      }
      const middle = Buffer.from(bytes);
      middle[Math.floor(bytes.length / 2)]! ^= 1;
      await writeFile(broken, middle);
      await expectRefusal(broken, { DATA_DIR: dataDir }, /damaged or incomplete/);
      expect(await below(dataDir)).toEqual([]);
      expect(await tables()).toEqual([]);
    });
  });

  it('leaves nothing behind when the contents are wrong, and can be run again', async () => {
    const counts = await withManifest(({ tables: all }) => all.find(({ name }) => name === 'content_types')!.rows++);
    await expectRefusal(counts, onTarget(), /has 1 rows instead of 2/);
    const files = await altered((name, content) => (name.startsWith('media/') ? undefined : content));
    await expectRefusal(files, onTarget(), /contains 0 media files instead of 2/);
    const columns = await withManifest(({ tables: all }) => all.at(-1)!.columns.push('extra'));
    await expectRefusal(columns, onTarget(), /column "extra" of relation/);
    const rows = await altered((name, content) => (name.startsWith('tables/') ? content.subarray(0, -8) : content));
    await expectRefusal(rows, onTarget(), /unexpected end of file/);
    expect(await tables()).toEqual([]);
    await run(file, onTarget());
  });

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'ended by %s leaves an empty database, and can be run again',
    async (signal) => {
      // Enough rows that they are still being loaded when the signal arrives.
      const rows = Array.from({ length: 300_000 }, (_, index) => `ten_${index}x\tname\t2026-01-31 09:30:00+00\t{}\n`);
      const many = await altered((name, content) => {
        if (name === MANIFEST_ENTRY)
          return Buffer.from(content.toString().replace('"rows": 1', `"rows": ${rows.length + 1}`));
        return name.startsWith('tables/tenants/')
          ? gzipSync(`${gunzipSync(content).toString()}${rows.join('')}`)
          : content;
      });
      const command = new Command('backup/restore-command', [many], onTarget());
      const loading = () =>
        target.query(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'COPY "tenants"%'`,
        );
      await until(async () => (await loading()).length > 0, 60_000);
      command.kill(signal);
      const { code, stderr } = await command.finished;
      if (signal === 'SIGTERM') expect({ code, stderr }).toEqual({ code: 130, stderr: 'Interrupted.\n' });
      await until(async () => (await loading()).length === 0);
      expect(await tables()).toEqual([]);
      await run(file, onTarget());
    },
  );
});
