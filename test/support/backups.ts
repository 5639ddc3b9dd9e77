import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import pg from 'pg';
import { tableOf } from '../../src/backup/archive-format.js';
import { ArchiveReader } from '../../src/backup/archive-reader.js';
import { type Manifest, readManifest } from '../../src/backup/manifest.js';
import { startEmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.js';
import { createDatabase, type TestDatabase } from './database.js';

const ROOT = join(import.meta.dirname, '../..');

export interface Finished {
  code: number | null;
  stdout: string;
  /** Without the line that names the database. */
  stderr: string;
  /** The database that the command named. */
  database?: string;
  /** The largest observed resident set of the process, in bytes. */
  peak: number;
}

/** A command of the built service in a separate process: `backup/backup-command`, `secrets/reencrypt-command`. */
export class Command {
  readonly finished: Promise<Finished>;
  private peak = 0;
  private readonly child: ChildProcess;

  constructor(program: string, args: readonly string[], env: Record<string, string>) {
    this.child = spawn('sh', ['scripts/command.sh', program, ...args], {
      cwd: ROOT,
      env: { PATH: process.env['PATH'], EXTENSIONS: process.env['EXTENSIONS'], ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = Promise.all([text(this.child.stdout!), text(this.child.stderr!)]);
    this.finished = new Promise((resolve) => {
      this.child.on('close', (code) => {
        void output.then(([stdout, text]) => {
          const [line = '', database] = /^Database: (.*)\n/m.exec(text) ?? [];
          resolve({ code, stdout, stderr: text.replace(line, ''), database, peak: this.peak });
        });
      });
    });
  }

  /** Samples the peak memory until the process ends. Works only on Linux. */
  async watchMemory(): Promise<void> {
    while (this.child.exitCode === null && this.child.signalCode === null) {
      const status = await readFile(`/proc/${this.child.pid}/status`, 'utf8').catch(() => '');
      this.peak = Math.max(this.peak, Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024);
      await sleep(20);
    }
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }
}

export function backUpCommand(args: readonly string[], env: Record<string, string>): Promise<Finished> {
  return new Command('backup/backup-command', args, env).finished;
}

export function restoreCommand(args: readonly string[], env: Record<string, string>): Promise<Finished> {
  return new Command('backup/restore-command', args, env).finished;
}

/** The rows of every table in a backup, as the lines that COPY wrote, sorted. */
export async function contentsOf(path: string): Promise<{ manifest: Manifest; tables: Record<string, string[]> }> {
  const archive = await ArchiveReader.open(path);
  try {
    const manifest = await readManifest(archive);
    const tables: Record<string, string[]> = {};
    for await (const entry of archive.entries()) {
      const name = tableOf(entry.name);
      if (name === undefined) continue;
      const lines = await text(archive.content(entry).pipe(createGunzip()));
      (tables[name] ??= []).push(...lines.trimEnd().split('\n'));
    }
    for (const lines of Object.values(tables)) lines.sort();
    return { manifest, tables };
  } finally {
    await archive.close();
  }
}

/** Where a service stores its data: in an embedded database of the data directory, or on a separate server. */
export interface Place {
  /** The environment with which commands find it. */
  env: Record<string, string>;
  /** Starts the embedded server, as a service does, and returns the database. */
  open(): Promise<TestDatabase>;
  close(): Promise<void>;
}

export function embeddedPlace(dataDir: string): Place {
  let running: { stop(): Promise<void>; pool: pg.Pool } | undefined;
  return {
    env: { DATA_DIR: dataDir },
    async open() {
      const embedded = await startEmbeddedPostgres({ dataDir, log: { info: () => undefined, error: console.error } });
      const pool = new pg.Pool({ connectionString: embedded.url, max: 2 });
      pool.on('error', () => undefined);
      running = { stop: () => embedded.stop(), pool };
      return {
        url: embedded.url,
        query: async <Row extends pg.QueryResultRow>(sql: string, values?: unknown[]) =>
          (await pool.query<Row>(sql, values)).rows,
        drop: () => Promise.resolve(),
      };
    },
    async close() {
      await running?.pool.end();
      await running?.stop();
      running = undefined;
    },
  };
}

/** A database on the server of the test run; `empty` for a restore. */
export async function ownPlace(dataDir: string, options: { empty?: boolean } = {}): Promise<Place> {
  const database = await createDatabase(options);
  return {
    env: { DATA_DIR: dataDir, DATABASE_URL: database.url },
    open: () => Promise.resolve(database),
    close: () => database.drop(),
  };
}
