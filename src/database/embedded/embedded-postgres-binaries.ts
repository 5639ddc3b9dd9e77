import { createHash } from 'node:crypto';
import { chmod, cp, lstat, mkdir, mkdtemp, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { type Account, run } from './embedded-postgres-process.js';

/** Absolute paths of executables that are ready to run. */
interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

/** Binaries are copied here if the database's user cannot reach `node_modules`. They can be deleted at any time. */
const CACHE = '/var/cache/trivet';

/** Returns the PostgreSQL that npm installed for this platform, executable by `account`. Throws if npm installed no PostgreSQL. */
export async function findPostgres(account?: Account): Promise<PostgresBinaries> {
  const native = installation();
  const binaries = executables(native);
  await linkLibraries(native);
  for (const path of [binaries.postgres, binaries.initdb]) await makeExecutable(path);
  return (await isRunnable(binaries, account)) ? binaries : executables(await copyToCache(native));
}

/** Returns the directory with bin, lib and share in the package of this platform. */
function installation(): string {
  const name = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    // Resolve from the running program, because a module's own path is not available in both ES modules and CommonJS (Jest).
    const { resolve } = createRequire(process.argv[1] ?? join(process.cwd(), 'program'));
    return join(dirname(resolve(`@embedded-postgres/${name}`)), '..', 'native');
  } catch (error) {
    throw new Error(`No embedded PostgreSQL is installed for ${name}. Set DATABASE_URL instead.`, { cause: error });
  }
}

function executables(native: string): PostgresBinaries {
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') };
}

/** Creates the links between shared libraries, which a package cannot contain. Its install script does this too, if npm runs it. */
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

/** Copies the installation for the user that PostgreSQL runs as, once for each version. Returns the path of the copy. */
async function copyToCache(native: string): Promise<string> {
  const manifest = await readFile(join(dirname(native), 'package.json'));
  const copy = join(CACHE, `postgresql-${createHash('sha256').update(manifest).digest('hex').slice(0, 16)}`);
  if (await stat(copy).catch(() => undefined)) return copy;

  await mkdir(CACHE, { recursive: true });
  await chmod(CACHE, 0o755);
  const temporary = await mkdtemp(`${copy}.`);
  try {
    // Only a compiler needs static libraries.
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
