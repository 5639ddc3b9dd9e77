import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from '../../support/until.js';

const ROOT = join(import.meta.dirname, '../../..');

type Environment = Readonly<Record<string, string>>;

/** Makes the magazine of the demo. */
export async function runDemo(env: Environment): Promise<void> {
  await promisify(execFile)(process.execPath, ['scripts/demo.mjs'], { cwd: ROOT, env: environment(env) });
}

/** `npm run example` in a process of its own. */
export class RunningSite {
  output = '';
  private readonly child: ChildProcess;
  private readonly closed: Promise<number | null>;

  constructor(env: Environment) {
    this.child = spawn(process.execPath, ['scripts/example.mjs'], { cwd: ROOT, env: environment(env) });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    }
    this.closed = new Promise((resolve) => this.child.once('close', resolve));
  }

  /** The address, once everything is set up. Throws with the output if the command ends instead. */
  async address(): Promise<string> {
    return until(() => {
      if (this.child.exitCode !== null) throw new Error(`The example ended: ${this.output}`);
      return Promise.resolve(/is at (\S+)\n.+\n/.exec(this.output)?.[1]);
    });
  }

  /** Ends it as Ctrl-C does, and returns its exit code. */
  async stop(): Promise<number | null> {
    this.child.kill('SIGINT');
    return this.closed;
  }
}

/** Without the variables of Jest. */
function environment(env: Environment): Environment {
  return { PATH: process.env['PATH'] ?? '', ...env };
}
