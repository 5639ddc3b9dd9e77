import { spawn } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';

/** The user that PostgreSQL runs as when this process is root, which PostgreSQL refuses to be. */
export interface Account {
  uid: number;
  gid: number;
}

export interface RunOptions {
  account?: Account;
  cwd?: string;
  /** File descriptor to read the standard input from. */
  stdin?: number;
}

/** Nothing of this process's environment, which holds secrets, reaches the database. */
export const CLEAN_ENVIRONMENT = { LC_ALL: 'C', PATH: '/usr/local/bin:/usr/bin:/bin' };

/** Undefined unless this process is root. Then: who owns `directory`, or when nobody else does `postgres`, or `nobody`. */
export async function databaseAccount(directory: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(directory).catch(() => undefined);
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return (await lookUp('postgres')) ?? (await lookUp('nobody')) ?? { uid: 65_534, gid: 65_534 };
}

async function lookUp(user: string): Promise<Account | undefined> {
  try {
    return { uid: Number(await run('id', ['-u', user])), gid: Number(await run('id', ['-g', user])) };
  } catch {
    return undefined;
  }
}

/**
 * How `account` names the directory that it works in. It may not be able to pass through the path, say because of /root, but a
 * process that was placed behind it can stay there, and Linux has a name for that place without the path.
 */
export function workingDirectory(directory: string, account: Account | undefined): string {
  return account && process.platform === 'linux' ? '/proc/self/cwd' : directory;
}

/** Runs a program and returns what it wrote. Throws with that when it fails, or with a code (`EACCES`) when it can't be run. */
export function run(program: string, args: string[], { account, cwd, stdin }: RunOptions = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const stdio = [stdin ?? 'ignore', 'pipe', 'pipe'] as const;
    const child = spawn(program, args, { ...account, cwd, env: CLEAN_ENVIRONMENT, stdio: [...stdio] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(output) : reject(new Error(output.trim() || `${program} failed`)),
    );
  });
}

/** A process's program and arguments; empty when there is no such process. */
export async function commandLine(pid: number): Promise<string> {
  const text =
    process.platform === 'linux'
      ? readFile(`/proc/${pid}/cmdline`, 'utf8')
      : run('ps', ['-ww', '-o', 'command=', '-p', String(pid)]);
  return text.catch(() => '');
}
