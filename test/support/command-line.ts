import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { TestApp, TestTenant } from './app.js';

const PROGRAM = join(process.cwd(), 'cli/dist/trivet.js');

export interface RanCommand {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** The built command line in a process of its own, without a terminal. */
export class CommandLine {
  stdout = '';
  stderr = '';
  readonly child: ChildProcess;
  readonly ended: Promise<RanCommand>;

  constructor(words: readonly string[], { cwd, env = {} }: { cwd?: string; env?: Record<string, string> } = {}) {
    this.child = spawn(process.execPath, [PROGRAM, ...words], {
      cwd,
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child.stdout?.on('data', (chunk: Buffer) => (this.stdout += chunk.toString()));
    this.child.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    this.ended = new Promise((resolve) => {
      this.child.on('close', (code) => resolve({ code, stdout: this.stdout, stderr: this.stderr }));
    });
  }
}

/** Returns what runs commands on a tenant, in a folder. */
export function commandsOn(app: TestApp, tenant: TestTenant, cwd: string, more: Record<string, string> = {}) {
  const env = { TRIVET_URL: app.url, TRIVET_TENANT: tenant.id, TRIVET_KEY: tenant.key, XDG_CONFIG_HOME: cwd, ...more };
  return {
    start: (...words: string[]) => new CommandLine(words, { cwd, env }),
    run: (...words: string[]) => new CommandLine(words, { cwd, env }).ended,
  };
}
