import { randomBytes } from 'node:crypto';
import { chown, mkdtemp, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Account, run, workingDirectory } from './embedded-postgres-process.js';

export const SUPERUSER = 'trivet';
/** Contains the superuser's password. It is in the cluster's directory, so that neither exists without the other. */
export const PASSWORD_FILE = 'trivet-password';

/** Without a UTF-8 locale, full-text search treats all non-ASCII characters as letters, so plain C is the last resort. */
const LC_CTYPES = ['C.UTF-8', 'en_US.UTF-8', 'C'];

/** Creates a cluster completely or not at all: a crash leaves only a temporary directory. An existing cluster is kept. */
export async function createCluster(directory: string, initdb: string, account?: Account): Promise<void> {
  const temporary = await mkdtemp(`${directory}.init-`);
  const passwordFile = `${temporary}.password`;
  try {
    await writeFile(passwordFile, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true });
    if (account) {
      for (const path of [temporary, passwordFile]) await chown(path, account.uid, account.gid);
    }
    await initialise(temporary, passwordFile, initdb, account);
    await rename(passwordFile, join(temporary, PASSWORD_FILE));
    await rename(temporary, directory);
    await syncDirectory(dirname(directory));
  } catch (error) {
    // Another start was faster. A lock decides later which of the two may continue.
    if (!(await exists(directory))) throw error;
  } finally {
    for (const path of [temporary, passwordFile]) await discard(path);
  }
}

/** Removes the temporary files of processes that crashed while they created a cluster. */
export async function removeUnfinished(directory: string): Promise<void> {
  const parent = dirname(directory);
  for (const name of await readdir(parent)) {
    if (name.startsWith(`${basename(directory)}.init-`)) await discard(join(parent, name));
  }
}

/** Ignores errors: another start may be writing or removing there at the same time. The next start removes the rest. */
async function discard(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
}

/** Gives a cluster of root to `account`. Throws if the cluster belongs to another user. */
export async function ensureOwner(directory: string, account?: Account): Promise<void> {
  const { uid } = await stat(directory);
  if (account && uid === 0) {
    // Root has copied or restored the cluster.
    await run('chown', ['-R', `${account.uid}:${account.gid}`, directory]);
  } else if (process.getuid && uid !== (account?.uid ?? process.getuid())) {
    throw new Error(
      `${directory} belongs to another user (uid ${uid}). Start Trivet as that user, or set another DATA_DIR.`,
    );
  }
}

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function initialise(directory: string, passwordFile: string, initdb: string, account?: Account): Promise<void> {
  const options = [
    `--pgdata=${workingDirectory(directory, account)}`,
    `--username=${SUPERUSER}`,
    // Passed as an open file, because the database's user may not be able to reach its path.
    '--pwfile=/dev/stdin',
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--text-search-config=simple',
  ];
  const password = await open(passwordFile);
  try {
    for (const ctype of LC_CTYPES) {
      const failure = await run(initdb, [...options, `--lc-ctype=${ctype}`], {
        account,
        cwd: directory,
        stdin: password.fd,
      }).then(() => undefined, String);
      if (failure === undefined) return;
      if (!failure.includes('invalid locale name')) throw new Error(`The database could not be created: ${failure}`);
    }
    throw new Error('PostgreSQL does not accept any locale of this system. Set DATABASE_URL instead.');
  } finally {
    await password.close();
  }
}

/** Makes a rename durable across a power failure. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path);
  await directory.sync().finally(() => directory.close());
}
