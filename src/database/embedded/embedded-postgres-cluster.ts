import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type FileHandle, mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findPostgres } from './embedded-postgres-binaries.js';
import { PASSWORD_FILE, SUPERUSER, createCluster, ensureOwner, exists } from './embedded-postgres-initdb.js';
import {
  type Account,
  CLEAN_ENVIRONMENT,
  commandLine,
  databaseAccount,
  workingDirectory,
} from './embedded-postgres-process.js';

/** A running server of a cluster. */
export interface Server {
  pid: number;
  port: number;
}

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '256MB',
  fsync: 'on',
  synchronous_commit: 'on',
  // Made for many small statements on a small machine: a query uses one process, and none of a container's scarce /dev/shm.
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
  // The start and stop of the server are logged, but no failed statement, which may contain any data.
  log_min_messages: 'log',
  log_checkpoints: 'off',
};

/** The PostgreSQL cluster in `DATA_DIR/postgres`, and its server process. */
export class Cluster {
  private constructor(
    readonly directory: string,
    private readonly logFile: string,
    private readonly postgres: string,
    private readonly account: Account | undefined,
    private readonly password: string,
  ) {}

  /** Opens the cluster of a data directory. Creates the cluster if the directory has none. */
  static async open(dataDir: string): Promise<Cluster> {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    const directory = join(dataDir, 'postgres');
    const account = await databaseAccount(directory);
    const { initdb, postgres } = await findPostgres(account);
    if (!(await exists(directory))) await createCluster(directory, initdb, account);
    await ensureOwner(directory, account);
    const password = await readFile(join(directory, PASSWORD_FILE), 'utf8');
    return new Cluster(directory, join(dataDir, 'postgres.log'), postgres, account, password.trim());
  }

  url(server: Server, database: string): string {
    return `postgres://${SUPERUSER}:${this.password}@127.0.0.1:${server.port}/${database}`;
  }

  /** Returns the server of the cluster, also if another process started it. It may be starting up or shutting down. */
  async server(): Promise<Server | undefined> {
    const lock = await this.readLockFile();
    return lock?.port && (await this.isServer(lock.pid)) ? { pid: lock.pid, port: lock.port } : undefined;
  }

  /** Starts a server and waits until it accepts connections. If the server ends instead, throws an error with what it logged. */
  async launch(port: number): Promise<void> {
    await this.disownDeadServer();
    const log = await open(this.logFile, 'a+', 0o600);
    try {
      const { size } = await log.stat();
      const child = spawn(this.postgres, this.flags(port), {
        ...this.account,
        cwd: this.directory,
        // Runs in a separate session: Ctrl-C in the terminal must reach only the service, which drains before it stops its database.
        detached: true,
        env: CLEAN_ENVIRONMENT,
        stdio: ['ignore', log.fd, log.fd],
      });
      child.unref();
      let failure: string | undefined;
      child.once('error', (error) => (failure = error.message));
      child.once('exit', (code, signal) => (failure = `exit ${code ?? signal}`));
      while (failure === undefined) {
        const lock = await this.readLockFile();
        if (lock && lock.pid === child.pid && lock.ready) return;
        await sleep(10);
      }
      throw new Error(`The embedded PostgreSQL did not start:\n${(await readFrom(log, size)) || failure}`);
    } finally {
      await log.close();
    }
  }

  /** Shuts down in fast mode: open transactions are rolled back, and all data is on disk when this returns. */
  async shutDown(): Promise<void> {
    const server = await this.server();
    if (!server) return;
    process.kill(server.pid, 'SIGINT');
    const deadline = Date.now() + 60_000;
    let signal: NodeJS.Signals | undefined = 'SIGQUIT';
    while (await this.isServer(server.pid)) {
      // Even an immediate shutdown loses no commit, because the next start recovers.
      if (signal && Date.now() > deadline) {
        process.kill(server.pid, signal);
        signal = undefined;
      }
      await sleep(20);
    }
  }

  private flags(port: number): string[] {
    const settings = Object.entries({ ...SETTINGS, cluster_name: this.marker });
    return [
      ...['-D', workingDirectory(this.directory, this.account), '-p', String(port)],
      ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ];
  }

  /** Part of the server's command line, which distinguishes it from every other process. */
  private get marker(): string {
    return `trivet-${createHash('sha256').update(this.password).digest('hex').slice(0, 16)}`;
  }

  private async isServer(pid: number): Promise<boolean> {
    return (await commandLine(pid)).includes(this.marker);
  }

  private get lockFile(): string {
    return join(this.directory, 'postmaster.pid');
  }

  /** The lines of the lock file are described in PostgreSQL's manual under "Database File Layout". */
  private async readLockFile(): Promise<(Server & { ready: boolean }) | undefined> {
    const text = await readFile(this.lockFile, 'utf8').catch(() => '');
    const [pid, , , port, , , , status] = text.split('\n');
    return pid ? { pid: Number(pid), port: Number(port), ready: status?.trim() === 'ready' } : undefined;
  }

  /**
   * After a crash, the PID in the lock file may belong to another process (in a container: nearly always) or to a zombie that is never
   * reaped. PostgreSQL would then refuse to start. However, it treats its parent's PID as stale, and then still uses the rest of the
   * file to check that no backend of the dead server is left. So this writes the PID of this process into the file.
   */
  private async disownDeadServer(): Promise<void> {
    const lock = await this.readLockFile();
    if (!lock || (await this.isServer(lock.pid)) || !existsSync(this.lockFile)) return;
    // Read the file again: another start may have launched a server meanwhile, whose file must stay.
    const [pid, ...rest] = readFileSync(this.lockFile, 'utf8').split('\n');
    if (Number(pid) === lock.pid) writeFileSync(this.lockFile, [process.pid, ...rest].join('\n'));
  }
}

async function readFrom(file: FileHandle, position: number): Promise<string> {
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(4_096), position });
  return buffer.toString('utf8', 0, bytesRead).trim();
}
