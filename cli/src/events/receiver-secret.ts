import { createHmac, randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
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
  // Another process may make it at the same time: the first one counts.
  await writeFile(file, randomBytes(SEED_BYTES).toString('base64'), { mode: 0o600, flag: 'wx' }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    },
  );
  return Buffer.from(await readFile(file, 'utf8'), 'base64');
}
