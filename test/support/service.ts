import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

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
