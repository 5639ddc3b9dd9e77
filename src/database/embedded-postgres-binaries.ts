import { createHash } from 'node:crypto';
import { chmod, cp, lstat, mkdir, mkdtemp, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { type Account, run } from './embedded-postgres-process.js';

/** Absolute paths of executables that are ready to run. */
export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

/** Where binaries are copied to when the database's user can't reach `node_modules`. Disposable. */
const CACHE = '/var/cache/trivet';

/** The PostgreSQL that npm installed for this platform, made runnable by `account`. Throws where there is none. */
export async function findPostgres(account?: Account): Promise<PostgresBinaries> {
  const native = installation();
  const binaries = executables(native);
  await linkLibraries(native);
  for (const path of [binaries.postgres, binaries.initdb]) await makeExecutable(path);
  return (await isRunnable(binaries, account)) ? binaries : executables(await copyToCache(native));
}

/** The directory with bin, lib and share in the package of this platform. */
function installation(): string {
  const name = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    // Looked up from the program that runs, since a module's own path is not to be had in both ES modules and CommonJS (Jest).
    const { resolve } = createRequire(process.argv[1] ?? join(process.cwd(), 'program'));
    return join(dirname(resolve(`@embedded-postgres/${name}`)), '..', 'native');
  } catch (error) {
    throw new Error(`No embedded PostgreSQL is installed for ${name}. Set DATABASE_URL instead.`, { cause: error });
  }
}

function executables(native: string): PostgresBinaries {
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') };
}

/** Makes the links between shared libraries that a package can't hold: its install script does it, where npm runs one. */
async function linkLibraries(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const path = join(dirname(native), target);
    if (await lstat(path).catch(() => undefined)) continue;
    await symlink(relative(dirname(target), source), path).catch(ignore('EEXIST'));
  }
}

async function makeExecutable(path: string): Promise<void> {
  const { mode } = await stat(path);
  if ((mode & 0o555) !== 0o555) await chmod(path, mode | 0o555);
}

async function isRunnable({ postgres }: PostgresBinaries, account?: Account): Promise<boolean> {
  try {
    await run(postgres, ['--version'], { account, cwd: '/' });
    return true;
  } catch (error) {
    if (account && (error as NodeJS.ErrnoException).code === 'EACCES') return false;
    const reason = (error as Error).message;
    throw new Error(`The embedded PostgreSQL does not run on this system (${reason}). Set DATABASE_URL instead.`, {
      cause: error,
    });
  }
}

/** Copies the installation for the user that PostgreSQL runs as, once for each version, and returns where it is. */
async function copyToCache(native: string): Promise<string> {
  const manifest = await readFile(join(dirname(native), 'package.json'));
  const copy = join(CACHE, `postgresql-${createHash('sha256').update(manifest).digest('hex').slice(0, 16)}`);
  if (await stat(copy).catch(() => undefined)) return copy;

  await mkdir(CACHE, { recursive: true });
  await chmod(CACHE, 0o755);
  const temporary = await mkdtemp(`${copy}.`);
  try {
    // Static libraries are only of use to a compiler.
    await cp(native, temporary, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !basename(path).endsWith('.a'),
    });
    await run('chmod', ['-R', 'a+rX', temporary]);
    await rename(temporary, copy).catch(ignore('EEXIST', 'ENOTEMPTY'));
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  return copy;
}

function ignore(...codes: string[]): (error: NodeJS.ErrnoException) => void {
  return (error) => {
    if (!codes.includes(error.code ?? '')) throw error;
  };
}
