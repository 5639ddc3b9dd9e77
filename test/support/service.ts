import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createDatabase, type TestDatabase } from './database.js';

const ROOT = join(__dirname, '../..');

/** Builds what is not built, or not any more. */
export async function build(): Promise<void> {
  await promisify(execFile)('sh', ['scripts/build.sh'], { cwd: ROOT });
}

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** The built service as a process of its own, with no other environment than what is given. */
export class Service {
  stdout = '';
  stderr = '';
  readonly ended: Promise<Ended>;
  private readonly child: ChildProcess;

  constructor(env: Record<string, string>) {
    this.child = spawn(process.execPath, ['dist/main.js'], {
      cwd: ROOT,
      env: { PATH: process.env['PATH'], PORT: '0', LOG_LEVEL: 'warn', ...env },
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

  /** Where it listens, once it does. Throws what it said when it ends instead. */
  async url(): Promise<string> {
    for (;;) {
      const url = /listens on (http\S+)/.exec(this.stdout)?.[1];
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

/** What a suite that starts services has: a database for all of its tests, and a data directory for each. */
export interface Services {
  dataDir: string;
  database: TestDatabase;
  /** Starts a service on the data directory; it ends with the test. */
  start(env?: Record<string, string>): Service;
}

/** Builds the service before the tests of the suite that calls it, and cleans up after each. */
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
