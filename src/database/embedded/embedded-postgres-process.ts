import { spawn } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';

/** The user that PostgreSQL runs as if this process is root, because PostgreSQL refuses to run as root. */
export interface Account {
  uid: number;
  gid: number;
}

interface RunOptions {
  account?: Account;
  cwd?: string;
  /** File descriptor to read the standard input from. */
  stdin?: number;
}

/** The environment of the database. It contains nothing from the environment of this process, which contains secrets. */
export const CLEAN_ENVIRONMENT = { LC_ALL: 'C', PATH: '/usr/local/bin:/usr/bin:/bin' };

/** Returns undefined unless this process is root. Otherwise: the owner of `directory` if not root, or else `postgres` or `nobody`. */
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
 * Returns the path by which `account` can use its working directory. It may not be able to traverse the full path, for example below
 * /root. But a process that starts in the directory can use it, and Linux has a name for it without the full path.
 */
export function workingDirectory(directory: string, account: Account | undefined): string {
  return account && process.platform === 'linux' ? '/proc/self/cwd' : directory;
}

/** Runs a program and returns its output. Throws an error with the output if it fails, or with a code (`EACCES`) if it cannot be run. */
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

/** Returns the program and arguments of a process; empty if there is no such process. */
export async function commandLine(pid: number): Promise<string> {
  const text =
    process.platform === 'linux'
      ? readFile(`/proc/${pid}/cmdline`, 'utf8')
      : run('ps', ['-ww', '-o', 'command=', '-p', String(pid)]);
  return text.catch(() => '');
}
