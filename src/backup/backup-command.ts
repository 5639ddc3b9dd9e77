import 'reflect-metadata';
import { runCommand, say } from '../processes/command.js';
import { loadDataConfig } from '../config/data-config.js';
import { loadRooms } from '../load-rooms.js';
import { announceDatabase } from '../database/describe-database.js';
import { reachDatabase } from '../database/reach-database.js';
import { readArguments } from './arguments.js';
import { backUp, type BackupResult } from './backup.js';
import { count, describeCounts, describeSize } from './summary.js';

const USAGE = 'Usage: npm run backup -- [--without-keys] FILE';

runCommand(async (signal) => {
  const config = loadDataConfig();
  await loadRooms(config.extensions);
  const { path, withoutKeys } = readArguments(process.argv.slice(2), USAGE, config.calledFrom);
  const log = { info: say, error: say };
  const { url, release } = await reachDatabase({ ...config, log });
  try {
    announceDatabase(url);
    const began = Date.now();
    const result = await backUp({ config, url, path, withoutKeys, signal });
    report(path, result, Math.ceil((Date.now() - began) / 1000), config.bucket, config.encryptionKeys !== undefined);
    return 0;
  } finally {
    await release();
  }
});

function report(
  path: string,
  { manifest, bytes, missing, leftOut }: BackupResult,
  seconds: number,
  bucket: string | undefined,
  hasOwnKey: boolean,
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
    const where = hasOwnKey ? 'ENCRYPTION_KEY' : 'the file encryption-key of DATA_DIR';
    say(`The backup does not contain ${where}. Keep a copy of it: webhook secrets cannot be decrypted without it.`);
  }
  if (missing.length > 0) {
    const files = `${count(manifest.media.missing, 'media file')} ${manifest.media.missing === 1 ? 'is' : 'are'}`;
    const more = manifest.media.missing > missing.length ? ' and more' : '';
    say(`${files} missing from DATA_DIR/media and therefore from the backup: ${missing.join(', ')}${more}.`);
  }
  if (leftOut.length > 0)
    say(`The backup does not contain the following tables, which do not belong to Trivet: ${leftOut.join(', ')}.`);
}
