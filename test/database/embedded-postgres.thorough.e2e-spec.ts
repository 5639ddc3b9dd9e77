import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { transformFile } from '@swc/core';
import pg from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.js';

// Within the project, so that the child process below finds its packages.
const ROOT = join(process.cwd(), '.data');

describe('embedded PostgreSQL', () => {
  const lines: string[] = [];
  const log = { info: (line: string) => lines.push(line), error: (line: string) => lines.push(line) };
  let base: string;
  let dataDir: string;
  let running: EmbeddedPostgres | undefined;

  const start = async (): Promise<EmbeddedPostgres> => (running = await startEmbeddedPostgres({ dataDir, log }));
  const stop = async (): Promise<void> => {
    await running?.stop();
    running = undefined;
  };

  beforeAll(async () => {
    await mkdir(ROOT, { recursive: true });
    base = await mkdtemp(join(ROOT, 'embedded-'));
    dataDir = join(base, 'data');
  });

  afterEach(stop);
  afterAll(() => rm(base, { recursive: true, force: true }));

  it('is a cluster of PostgreSQL 18 in UTF-8 that requires a password, on 127.0.0.1 and never on port 5432', async () => {
    const { url } = await start();

    expect(url).toMatch(/^postgres:\/\/trivet:[\w-]{43}@127\.0\.0\.1:\d+\/trivet$/);
    expect(new URL(url).port).not.toBe('5432');
    const [row] = await query(url, `SELECT version(), current_setting('server_encoding') AS encoding`);
    expect(row).toMatchObject({ version: expect.stringMatching(/^PostgreSQL 18\./), encoding: 'UTF8' });
    await expect(query(url.replace(/:[\w-]{43}@/, ':wrong@'), 'SELECT 1')).rejects.toThrow('password');
  });

  it('does not treat punctuation as words in full-text search', async () => {
    const { url } = await start();
    const [row] = await query(url, `SELECT to_tsvector('simple', '“Hello” — über')::text AS words`);
    expect(row).toEqual({ words: `'hello':1 'über':2` });
  });

  it('stores its password in a private file, and logs no password', async () => {
    const { mode } = await stat(join(dataDir, 'postgres', 'trivet-password'));
    expect(mode & 0o777).toBe(0o600);
    expect(await readFile(join(dataDir, 'postgres.log'), 'utf8')).not.toContain('wrong');
  });

  it('starts again within 1.5 seconds, with its data', async () => {
    await query((await start()).url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await stop();

    const before = Date.now();
    const { url } = await start();
    expect(Date.now() - before).toBeLessThan(1_500);
    expect(await query(url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  });

  it('leaves no server running after it has stopped', async () => {
    const { url } = await start();
    await stop();
    await expect(query(url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');
    await expect(stat(join(dataDir, 'postgres', 'postmaster.pid'))).rejects.toThrow('ENOENT');
  });

  it('refuses a second start on the same directory', async () => {
    await start();
    await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toThrow(
      `Another Trivet process is running on ${dataDir}`,
    );
  });

  it('lets exactly one of several simultaneous starts on a new directory succeed', async () => {
    const fresh = join(base, 'fresh');
    const starts = await Promise.allSettled([1, 2, 3].map(() => startEmbeddedPostgres({ dataDir: fresh, log })));
    const won = starts.filter((result) => result.status === 'fulfilled');
    const lost = starts.filter((result) => result.status === 'rejected').map((result) => String(result.reason));

    expect(lost).toEqual(Array(2).fill(expect.stringContaining('Another Trivet process is running')));
    expect((await readdir(fresh)).sort()).toEqual(['postgres', 'postgres.log']);
    await won[0]!.value.stop();
  });

  it('starts after its server was killed and the PID belongs to another process', async () => {
    const { url } = await start();
    await stop();
    const stale = [process.ppid, join(dataDir, 'postgres'), 1, new URL(url).port, '', '127.0.0.1', '0 0', 'ready'];
    await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), stale.join('\n'));

    expect(await query((await start()).url, 'SELECT 1 AS up')).toEqual([{ up: 1 }]);
  });

  it('restarts at the same URL when its server is killed, and logs that', async () => {
    const { url } = await start();
    const child = await serverPid(dataDir);
    lines.length = 0;
    process.kill(child, 'SIGKILL');

    await eventually(async () => expect(await query(url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]));
    // The server accepts connections a moment before the log says so.
    const logged = [expect.stringContaining('stopped unexpectedly'), expect.stringContaining('running again')];
    await eventually(() => Promise.resolve(expect(lines).toEqual(logged)));
  });

  describe('after kill -9 of the service', () => {
    let service: ChildProcess;
    let url: string;

    beforeEach(async () => {
      service = spawn(process.execPath, [await compileService(base), dataDir], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      [url] = (await once(createInterface(service.stdout!), 'line')) as [string];
    });

    afterEach(() => service.kill('SIGKILL'));

    it('takes over the running server, with every acknowledged write and without unfinished transactions', async () => {
      await query(url, 'CREATE TABLE acknowledged AS SELECT 1 AS row');
      const held = new pg.Client(url);
      held.on('error', () => undefined);
      await held.connect();
      await held.query('BEGIN');
      await held.query('LOCK TABLE acknowledged');
      await kill(service);

      const taken = await start();
      expect(taken.url).toBe(url);
      expect(await query(taken.url, 'SELECT * FROM acknowledged')).toEqual([{ row: 1 }]);
    });

    it('recovers when the server was killed too', async () => {
      await query(url, 'CREATE TABLE recovered AS SELECT 2 AS row');
      const server = await serverPid(dataDir);
      await kill(service);
      process.kill(server, 'SIGKILL');

      expect(await query((await start()).url, 'SELECT * FROM recovered')).toEqual([{ row: 2 }]);
    });
  });
});

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client(url);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function serverPid(dataDir: string): Promise<number> {
  return parseInt(await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'));
}

async function kill(service: ChildProcess): Promise<void> {
  const ended = once(service, 'exit');
  service.kill('SIGKILL');
  await ended;
}

async function eventually(check: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await check();
    } catch (error) {
      if (attempt === 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** Writes a program that starts the embedded PostgreSQL in the directory of its argument and prints the URL. Returns its path. */
async function compileService(directory: string): Promise<string> {
  const source = join(import.meta.dirname, '../../src/database/embedded');
  for (const name of await readdir(source)) {
    if (!/^embedded-postgres[\w-]*\.ts$/.test(name)) continue;
    const { code } = await transformFile(join(source, name), {
      jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
      module: { type: 'es6' },
    });
    await writeFile(join(directory, name.replace(/ts$/, 'js')), code);
  }
  const program = join(directory, 'service.js');
  await writeFile(
    program,
    `import { startEmbeddedPostgres } from './embedded-postgres.js';
     const { url } = await startEmbeddedPostgres({ dataDir: process.argv[2], log: console });
     process.stdout.write(url + '\\n');`,
  );
  return program;
}
