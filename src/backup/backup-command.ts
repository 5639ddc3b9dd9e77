import 'reflect-metadata';
import { runCommand, say } from '../processes/command.js';
import { loadDataConfig } from '../config/data-config.js';
import { loadModules } from '../load-modules.js';
import { announceDatabase } from '../database/servers/describe-database.js';
import { reachDatabase } from '../database/servers/reach-database.js';
import { readArguments } from './arguments.js';
import { backUp, type BackupResult } from './backup.js';
import { generatedKeyExists } from './generated-keys.js';
import { describeCount, describeCounts, describeSize } from './summary.js';

const USAGE = 'Usage: npm run backup -- [--without-keys] FILE';

runCommand(async (signal) => {
  const config = loadDataConfig();
  await loadModules(config.extensions);
  const { path, withoutKeys } = readArguments(process.argv.slice(2), USAGE, config.calledFrom);
  const log = { info: say, error: say };
  const { url, release } = await reachDatabase({ ...config, log });
  try {
    announceDatabase(url);
    const began = Date.now();
    const result = await backUp({ config, url, path, withoutKeys, signal });
    const keyIn = config.encryptionKeys ? 'variable' : (await generatedKeyExists(config.dataDir)) ? 'file' : 'unknown';
    report(path, result, Math.ceil((Date.now() - began) / 1000), config.bucket, keyIn);
    return 0;
  } finally {
    await release();
  }
});

/** What is said of an encryption key that the backup does not contain, by the place where it is. */
const KEY_LEFT_OUT = {
  variable: 'The backup does not contain ENCRYPTION_KEY. Keep a copy of it',
  file: 'The backup does not contain the file encryption-key of DATA_DIR. Keep a copy of it',
  unknown:
    'The backup contains no encryption key: ENCRYPTION_KEY is not set here, and DATA_DIR has no file encryption-key. Keep a copy of the key that ' +
    'the service uses',
};

function report(
  path: string,
  { manifest, bytes, missing, leftOut }: BackupResult,
  seconds: number,
  bucket: string | undefined,
  keyIn: keyof typeof KEY_LEFT_OUT,
): void {
  say(`Wrote ${path}: ${describeCounts(manifest)}, ${describeSize(bytes)}, in ${seconds} s.`);
  if (bucket !== undefined)
    say(`The media files are in the bucket ${bucket} and are not part of this backup. Back up the bucket separately.`);
  if (manifest.keys.length > 0) {
    say(
      `The backup contains the secrets ${manifest.keys.join(' and ')} of DATA_DIR. Protect it as carefully as ` +
        'those files.',
    );
  }
  if (!manifest.keys.includes('encryption-key')) {
    say(`${KEY_LEFT_OUT[keyIn]}: the secrets of webhooks, and emails that wait, cannot be decrypted without it.`);
  }
  if (missing.length > 0) {
    const files = `${describeCount(manifest.media.missing, 'media file')} ${manifest.media.missing === 1 ? 'is' : 'are'}`;
    const more = manifest.media.missing > missing.length ? ' and more' : '';
    say(`${files} missing from DATA_DIR/media and therefore from the backup: ${missing.join(', ')}${more}.`);
  }
  if (leftOut.length > 0)
    say(`The backup does not contain the following tables, which do not belong to Trivet: ${leftOut.join(', ')}.`);
}
