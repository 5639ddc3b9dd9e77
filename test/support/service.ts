import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createDatabase, type TestDatabase } from './database.js';

const ROOT = join(import.meta.dirname, '../..');

/** Builds the service if its build is missing or outdated. */
export async function build(): Promise<void> {
  await promisify(execFile)('sh', ['scripts/build.sh'], { cwd: ROOT });
}

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** The built service in a separate process, with no other environment than the given one and the extensions of the test run. */
export class Service {
  stdout = '';
  stderr = '';
  readonly ended: Promise<Ended>;
  private readonly child: ChildProcess;

  constructor(env: Record<string, string>) {
    this.child = spawn(process.execPath, ['dist/src/main.js'], {
      cwd: ROOT,
      env: { PATH: process.env['PATH'], PORT: '0', EXTENSIONS: process.env['EXTENSIONS'], ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child.stdout?.on('data', (chunk: Buffer) => (this.stdout += chunk.toString()));
    this.child.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    this.ended = new Promise((resolve) => {
      this.child.on('close', (code, signal) => resolve({ code, signal, stdout: this.stdout, stderr: this.stderr }));
    });
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /** The URL, once the service listens. Throws with its output if it ends instead. */
  async url(): Promise<string> {
    for (;;) {
      const url = /listens on (http[^\s"]+)/.exec(this.stdout)?.[1];
      if (url) return url;
      if (this.child.exitCode !== null) throw new Error(`The service ended:\n${this.stdout}\n${this.stderr}`);
      await sleep(20);
    }
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> {
    this.signal(signal);
    return this.ended;
  }
}

/** What a suite that starts services needs: one database, and a data directory for each test. */
export interface Services {
  dataDir: string;
  database: TestDatabase;
  /** Starts a service on the data directory, and stops it after the test. */
  start(env?: Record<string, string>): Service;
}

/** Builds the service before the suite's tests, and cleans up after each test. */
export function useServices(): Services {
  const running: Service[] = [];
  const services = {
    start(env: Record<string, string> = {}) {
      const service = new Service({ DATA_DIR: services.dataDir, ...env });
      running.push(service);
      return service;
    },
  } as Services;
  beforeAll(build);
  beforeAll(async () => {
    services.database = await createDatabase();
  });
  afterAll(() => services.database.drop());
  beforeEach(async () => {
    services.dataDir = await mkdtemp(join(tmpdir(), 'trivet-service-'));
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((service) => service.stop('SIGTERM')));
    await rm(services.dataDir, { recursive: true, force: true });
  });
  return services;
}
