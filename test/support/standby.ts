import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { findPostgres } from '../../src/database/embedded/embedded-postgres-binaries.js';
import { createCluster, PASSWORD_FILE, SUPERUSER } from '../../src/database/embedded/embedded-postgres-initdb.js';
import {
  type Account,
  CLEAN_ENVIRONMENT,
  databaseAccount,
  run,
  workingDirectory,
} from '../../src/database/embedded/embedded-postgres-process.js';
import { until } from './until.js';

const DATABASE = 'trivet';
/** The role of the service, which is no superuser. */
const ROLE = 'service';
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '32MB',
  fsync: 'off',
  jit: 'off',
  wal_receiver_timeout: '5s',
  wal_retrieve_retry_interval: '200ms',
};

/** A PostgreSQL server of a test. */
export class TestServer {
  /** For the service. */
  readonly url: string;
  private readonly superuserUrl: string;
  private child?: ChildProcess;
  private log = '';

  constructor(
    private readonly directory: string,
    private readonly binary: string,
    private readonly account: Account | undefined,
    readonly port: number,
    readonly password: string,
    private readonly settings: Record<string, string> = {},
  ) {
    const urlOf = (role: string) => `postgres://${role}:${password}@127.0.0.1:${port}/${DATABASE}`;
    this.url = urlOf(ROLE);
    this.superuserUrl = urlOf(SUPERUSER);
  }

  /** Resolves when the server answers statements. */
  async start(database = DATABASE): Promise<void> {
    const settings = Object.entries({ ...SETTINGS, ...this.settings });
    const flags = settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const child = spawn(
      this.binary,
      ['-D', workingDirectory(this.directory, this.account), '-p', String(this.port), ...flags],
      { ...this.account, cwd: this.directory, env: CLEAN_ENVIRONMENT, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    this.child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => (this.log = (this.log + chunk.toString()).slice(-10_000)));
    }
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`The server ended:\n${this.log}`);
      return this.query('SELECT 1', [], database).then(
        () => true,
        () => false,
      );
    });
  }

  async stop(signal: NodeJS.Signals = 'SIGINT'): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGCONT');
    child.kill(signal);
    await ended;
  }

  /** Runs one statement of a superuser on a connection of its own. */
  async query<Row extends pg.QueryResultRow>(text: string, values?: unknown[], database = DATABASE): Promise<Row[]> {
    const url = new URL(this.superuserUrl);
    url.pathname = `/${database}`;
    const client = new pg.Client({ connectionString: url.href });
    client.on('error', () => undefined);
    await client.connect();
    return client
      .query<Row>(text, values)
      .then(({ rows }) => rows)
      .finally(() => client.end());
  }

  /** The processes of the server: all of them stop or continue. */
  async signalAll(signal: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    const { pid = 0 } = this.child ?? {};
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
    for (const each of [pid, ...children.split(' ').filter(Boolean).map(Number)]) process.kill(each, signal);
  }
}

export interface Replication {
  primary: TestServer;
  standby: TestServer;
  /** Stops both, and removes their files. */
  end(): Promise<void>;
}

/** Starts a primary with an empty database, and a standby that follows it by streaming. */
export async function startReplication(): Promise<Replication> {
  const root = await mkdtemp(join(tmpdir(), 'trivet-standby-'));
  const account = await databaseAccount(join(root, 'primary'));
  if (account) await chown(root, account.uid, account.gid);
  const { initdb, postgres } = await findPostgres(account);
  const [directory, copy] = [join(root, 'primary'), join(root, 'standby')];
  await createCluster(directory, initdb, account);
  const password = (await readFile(join(directory, PASSWORD_FILE), 'utf8')).trim();
  // A copy of a server that has not run yet is as good as a base backup.
  await run('cp', ['-a', directory, copy]);
  await writeFile(join(copy, 'standby.signal'), '');
  if (account) await chown(join(copy, 'standby.signal'), account.uid, account.gid);
  const primary = new TestServer(directory, postgres, account, await freePort(), password);
  const from = `host=127.0.0.1 port=${primary.port} user=${SUPERUSER} password=${password}`;
  const standby = new TestServer(copy, postgres, account, await freePort(), password, { primary_conninfo: from });
  await primary.start('postgres');
  await primary.query(`CREATE ROLE ${ROLE} LOGIN PASSWORD '${password}'`, [], 'postgres');
  await primary.query(`CREATE DATABASE ${DATABASE} OWNER ${ROLE}`, [], 'postgres');
  await standby.start();
  return {
    primary,
    standby,
    async end() {
      await standby.stop();
      await primary.stop();
      await rm(root, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
