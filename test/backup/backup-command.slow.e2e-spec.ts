import { mkdir, mkdtemp, open, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { backUp } from '../../src/backup/backup.js';
import { loadDataConfig } from '../../src/config/data-config.js';
import { reachDatabase } from '../../src/database/servers/reach-database.js';
import { newUuid } from '../../src/ids/type-id.js';
import { keyOf } from '../../src/media/storage/media-storage.js';
import { backUpCommand, Command, contentsOf, restoreCommand } from '../support/backups.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { describeOnPlain } from '../support/it-on-plain.js';
import { build } from '../support/service.js';
import { until } from '../support/until.js';

const MEGABYTE = 1024 * 1024;
const KEY = Buffer.alloc(32, 9).toString('base64');
const isLinux = process.platform === 'linux';

jest.setTimeout(240_000);

// A database that is distributed cannot be backed up (citus.e2e-spec.ts).
describeOnPlain('npm run backup', () => {
  let directory: string;
  let dataDir: string;
  let file: string;
  let database: TestDatabase;
  const env = () => ({ DATA_DIR: dataDir, DATABASE_URL: database.url });

  beforeAll(build);
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'trivet-command-'));
    dataDir = join(directory, 'data');
    file = join(directory, 'a.tar');
    database = await createDatabase();
    await mkdir(dataDir);
  });
  afterEach(async () => {
    await database.drop();
    await rm(directory, { recursive: true, force: true });
  });

  async function addMedia(bytes: number): Promise<void> {
    const id = newUuid();
    await database.query(`INSERT INTO tenants VALUES ('ten_a', 'A', now()) ON CONFLICT DO NOTHING`);
    await database.query(
      `INSERT INTO media (tenant_id, id, filename, alt, mime_type, extension, size, search, created_at)
      VALUES ('ten_a', $1, 'a', '', 'video/mp4', 'mp4', $2, '', now())`,
      [id, bytes],
    );
    const path = join(dataDir, 'media', keyOf(id));
    await mkdir(dirname(path), { recursive: true });
    const handle = await open(path, 'w');
    await handle.truncate(bytes);
    await handle.close();
  }

  it('reports what the file contains, and that it contains the generated keys', async () => {
    await writeFile(join(dataDir, 'encryption-key'), KEY);
    await writeFile(join(dataDir, 'demo-key'), 'tvt_demo');
    await addMedia(10);
    const { code, stdout } = await backUpCommand([file], env());
    expect(code).toBe(0);
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(/^Wrote \/.*a\.tar: \d+ tables with \d+ rows and 1 media file, 0\.0 MB, in \d+ s\.$/),
      'The backup contains the secrets encryption-key and demo-key of DATA_DIR. Protect it as carefully as those files.',
      '',
    ]);
    expect((await contentsOf(file)).manifest.keys).toEqual(['encryption-key', 'demo-key']);
  });

  it('omits the generated keys with --without-keys', async () => {
    await writeFile(join(dataDir, 'encryption-key'), KEY);
    const { stdout } = await backUpCommand(['--without-keys', file], env());
    expect(stdout).toMatch(
      /\nThe backup does not contain the file encryption-key of DATA_DIR\. Keep a copy of it: .*\.\n$/,
    );
    expect((await readFile(file)).includes(KEY)).toBe(false);
  });

  it('does not include a key that the environment sets', async () => {
    await writeFile(join(dataDir, 'encryption-key'), KEY);
    const { stdout } = await backUpCommand([file], { ...env(), ENCRYPTION_KEY: KEY });
    expect(stdout).toMatch(/\nThe backup does not contain ENCRYPTION_KEY\. Keep a copy of it: .*\.\n$/);
    expect((await readFile(file)).includes(KEY)).toBe(false);
  });

  it('and the restore report that media in a bucket is not in the file', async () => {
    const s3 = { S3_BUCKET: 'pictures', S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 's' };
    const { code, stdout } = await backUpCommand([file], { ...env(), ...s3 });
    expect(code).toBe(0);
    expect(stdout).toContain('The media files are in the bucket pictures and are not part of this backup');
    const restored = await createDatabase({ empty: true });
    const after = await restoreCommand([file], { DATA_DIR: join(directory, 'other'), DATABASE_URL: restored.url });
    expect(after.stdout).toContain('The media files of this backup are in a bucket. Set S3_BUCKET to that bucket.');
    await restored.drop();
  });

  it('lists media files that are missing, and backs up the rest', async () => {
    await addMedia(10);
    await rm(join(dataDir, 'media'), { recursive: true });
    await addMedia(10);
    const { code, stdout } = await backUpCommand([file], env());
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /\n1 media file is missing from DATA_DIR\/media and therefore from the backup: med_[0-9a-z]{26}\.\n/,
    );
    const restored = await createDatabase({ empty: true });
    const after = await restoreCommand([file], { DATA_DIR: join(directory, 'other'), DATABASE_URL: restored.url });
    expect(after).toMatchObject({ code: 0 });
    expect(after.stdout).toContain('1 media file was missing when the backup was written.');
    await restored.drop();
  });

  it('starts the embedded server of a stopped service, and stops it again', async () => {
    const empty = join(directory, 'empty.tar');
    expect(await backUpCommand([empty], env())).toMatchObject({ code: 0 });
    expect(await restoreCommand([empty], { DATA_DIR: dataDir })).toMatchObject({ code: 0, stderr: '' });
    expect(await backUpCommand([file], { DATA_DIR: dataDir })).toMatchObject({ code: 0, stderr: '' });
    await expect(readFile(join(dataDir, 'postgres', 'postmaster.pid'))).rejects.toThrow('ENOENT');
  });

  it('exits with 1 after one line if the file exists, and after the list of errors if the configuration is wrong', async () => {
    await writeFile(file, 'mine');
    const refused = await backUpCommand([file], env());
    const stderr = `${file} already exists. Choose the path of a new file.\n`;
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr });
    expect(await readFile(file, 'utf8')).toBe('mine');
    expect(await readdir(directory)).toEqual(['a.tar', 'data']);
    const wrong = { DATA_DIR: dataDir, DATABASE_URL: 'mysql://u:hidden@h/x' };
    const problems = 'The configuration is not valid:\n  - DATABASE_URL must be a postgres:// URL.\n';
    expect(await backUpCommand([file], wrong)).toMatchObject({ code: 1, stdout: '', stderr: problems });
  });

  it('fails without a database, with a database without Trivet tables, and with an unreachable server', async () => {
    const attempt = async (given: Record<string, string>) => {
      const config = loadDataConfig({ DATA_DIR: dataDir, ...given });
      const { url } = await reachDatabase({ ...config, log: { info: () => undefined, error: console.error } });
      await backUp({ config, url, path: file, withoutKeys: false });
    };
    const empty = await createDatabase({ empty: true });
    await expect(attempt({})).rejects.toThrow(`There is no database in ${dataDir}`);
    await expect(attempt({ DATABASE_URL: empty.url })).rejects.toThrow('contains no Trivet tables');
    await expect(attempt({ DATABASE_URL: 'postgres://u:hidden@127.0.0.1:1/x' })).rejects.toThrow(
      /^connect ECONNREFUSED/,
    );
    await empty.drop();
    expect(await readdir(directory)).toEqual(['data']);
  });

  describe('that waits for a lock', () => {
    let holder: pg.Client;
    beforeEach(async () => {
      holder = new pg.Client(database.url);
      await holder.connect();
      await holder.query('BEGIN; LOCK TABLE entries');
    });
    afterEach(() => holder.end());

    const waiting = () =>
      until(async () => {
        const [session] = await database.query<{ pid: number }>(
          `SELECT pid FROM pg_stat_activity WHERE application_name = 'trivet backup' AND wait_event_type = 'Lock'`,
        );
        return session;
      }, 240_000);

    it('leaves no file when a signal ends it', async () => {
      const command = new Command('backup/backup-command', [file], env());
      await waiting();
      command.kill('SIGTERM');
      expect(await command.finished).toMatchObject({ code: 130, stderr: 'Interrupted.\n' });
      expect(await readdir(directory)).toEqual(['data']);
    });

    it('leaves no file when its connection breaks', async () => {
      const command = new Command('backup/backup-command', [file], env());
      await database.query('SELECT pg_terminate_backend($1)', [(await waiting()).pid]);
      const { code, stderr } = await command.finished;
      expect(code).toBe(1);
      expect(stderr).toMatch(/^.*(terminat|connection).*\n$/i);
      expect(await readdir(directory)).toEqual(['data']);
    });
  });

  (isLinux ? it : it.skip)(
    'and restore need little more memory for large files and many rows than for none',
    async () => {
      const peakOf = async (program: string, path: string, given: Record<string, string>) => {
        const command = new Command(program, [path], given);
        await command.watchMemory();
        const { code, stderr, peak } = await command.finished;
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
        return peak;
      };
      const least = await peakOf('backup/backup-command', join(directory, 'small.tar'), env());
      expect(least).toBeGreaterThan(20 * MEGABYTE);

      await addMedia(300 * MEGABYTE);
      await database.query(
        `INSERT INTO events (tenant_id, id, type, data, occurred_at)
      SELECT 'ten_a', gen_random_uuid(), 'entry.created', json_build_object('text', repeat(md5(n::text), 60)), now()
      FROM generate_series(1, 100000) n`,
      );
      const target = await createDatabase({ empty: true });
      const onTarget = { DATA_DIR: join(directory, 'other'), DATABASE_URL: target.url };
      const most = Math.max(
        await peakOf('backup/backup-command', file, env()),
        await peakOf('backup/restore-command', file, onTarget),
      );
      await target.drop();
      expect(most).toBeLessThan(least + 100 * MEGABYTE);
    },
  );
});
