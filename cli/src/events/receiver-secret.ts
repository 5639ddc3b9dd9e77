import { createHmac, randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Terminal } from '../output/terminal.js';

const SEED_BYTES = 32;

/** The secret that events are signed with: the same each time for a tenant on this machine. No other machine has it. */
export async function receiverSecret(tenant: string, env: Terminal['env']): Promise<string> {
  const key = createHmac('sha256', await seedOf(env))
    .update(tenant)
    .digest('base64');
  return `whsec_${key}`;
}

/** What the secrets of this machine are made of. It is made once, and only its owner can read it. */
async function seedOf(env: Terminal['env']): Promise<Buffer> {
  const folder = join(env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'trivet');
  const file = join(folder, 'listen-seed');
  await mkdir(folder, { recursive: true });
  return (await readSeed(file)) ?? (await makeSeed(file));
}

/** Undefined if there is none, or if it is damaged. */
async function readSeed(file: string): Promise<Buffer | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return '';
  });
  const seed = Buffer.from(text, 'base64');
  if (text !== '' && seed.length !== SEED_BYTES) await rm(file, { force: true });
  return seed.length === SEED_BYTES ? seed : undefined;
}

/** Another process may make it at the same time: the first one counts, and no one sees half of it. */
async function makeSeed(file: string): Promise<Buffer> {
  const seed = randomBytes(SEED_BYTES);
  const own = `${file}-${randomBytes(8).toString('hex')}`;
  await writeFile(own, seed.toString('base64'), { mode: 0o600, flag: 'wx' });
  try {
    await link(own, file);
    return seed;
  } catch (error) {
    const first = (error as NodeJS.ErrnoException).code === 'EEXIST' && (await readSeed(file));
    if (!first) throw error;
    return first;
  } finally {
    await rm(own, { force: true });
  }
}
