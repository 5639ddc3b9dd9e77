import 'reflect-metadata';
import { runCommand, say } from '../processes/command.js';
import { loadDataConfig } from '../config/data-config.js';
import { loadModules } from '../load-modules.js';
import { announceDatabase } from '../database/servers/describe-database.js';
import { claimDatabase } from '../database/servers/reach-database.js';
import { readArguments } from './arguments.js';
import { restore } from './restore.js';
import { describeCount, describeCounts } from './summary.js';

const USAGE = 'Usage: npm run restore -- [--without-keys] FILE';

runCommand(async (signal) => {
  const config = loadDataConfig();
  await loadModules(config.extensions);
  const { path, withoutKeys } = readArguments(process.argv.slice(2), USAGE, config.calledFrom);
  const openDatabase = async () => {
    const database = await claimDatabase({ ...config, log: { info: say, error: say } });
    announceDatabase(database.url);
    return database;
  };
  const { manifest, missingKeys } = await restore({ config, path, withoutKeys, openDatabase, signal });
  say(`Restored ${describeCounts(manifest)}. The backup was taken at ${manifest.taken_at}.`);
  if (manifest.media.stored_in === 'bucket') {
    say(
      `The media files of this backup are in a bucket.${config.bucket === undefined ? ' Set S3_BUCKET to that bucket.' : ''}`,
    );
  }
  const { missing } = manifest.media;
  if (missing > 0)
    say(
      `${describeCount(missing, 'media file')} ${missing === 1 ? 'was' : 'were'} missing when the backup was written.`,
    );
  if (missingKeys.length > 0) {
    say(
      `Some secrets of webhooks, or emails that wait, need the encryption keys ${missingKeys.join(', ')}. Add these keys to ENCRYPTION_KEY.`,
    );
  }
  return 0;
});
