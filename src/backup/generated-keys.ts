import type { DataConfig } from '../config/data-config.js';
import { storedSecret, readSecret } from '../config/stored-secret.js';
import { demoKeyFile, encryptionKeyFile } from '../config/variables.js';
import { keyName } from './archive-format.js';
import type { ArchiveReader } from './archive-reader.js';
import type { ArchiveWriter } from './archive-writer.js';
import { BackupError } from './backup-error.js';

/** A secret that the service generated into `DATA_DIR`. */
export interface GeneratedKey {
  file: 'encryption-key' | 'demo-key';
  secret: string;
}

const FILES = ['encryption-key', 'demo-key'] as const;

/** Adds the secrets that the service uses, and returns their names. If `ENCRYPTION_KEY` is set, the key in `DATA_DIR` is not added. */
export async function addKeys({ dataDir, encryptionKeys }: DataConfig, archive: ArchiveWriter): Promise<string[]> {
  const added: string[] = [];
  for (const file of FILES.filter((name) => name !== 'encryption-key' || !encryptionKeys)) {
    const secret = await readSecret(pathOf(dataDir, file));
    if (secret === undefined) continue;
    await archive.add(keyName(file), Buffer.from(`${secret}\n`));
    added.push(file);
  }
  return added;
}

export async function generatedKeyExists(dataDir: string): Promise<boolean> {
  return (await readSecret(pathOf(dataDir, 'encryption-key'))) !== undefined;
}

export async function readKeys(archive: ArchiveReader): Promise<GeneratedKey[]> {
  const keys: GeneratedKey[] = [];
  for await (const entry of archive.entries()) {
    const file = FILES.find((name) => keyName(name) === entry.name);
    if (file) keys.push({ file, secret: (await archive.text(entry)).trim() });
  }
  return keys;
}

/** Throws a BackupError if a secret in `DATA_DIR` differs from the one in the backup. */
export async function assertNoOtherKeys(dataDir: string, keys: readonly GeneratedKey[]): Promise<void> {
  for (const { file, secret } of keys) {
    const present = await readSecret(pathOf(dataDir, file));
    if (present === undefined || present === secret) continue;
    throw new BackupError(
      `${pathOf(dataDir, file)} differs from the key in the backup. Move the file away, or restore with ` +
        '--without-keys.',
    );
  }
}

/** Writes the secrets with mode 0600. */
export async function placeKeys(dataDir: string, keys: readonly GeneratedKey[]): Promise<void> {
  for (const { file, secret } of keys) await storedSecret(pathOf(dataDir, file), () => secret);
}

function pathOf(dataDir: string, file: GeneratedKey['file']): string {
  return file === 'encryption-key' ? encryptionKeyFile(dataDir) : demoKeyFile(dataDir);
}
