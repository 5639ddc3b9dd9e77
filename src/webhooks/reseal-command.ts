import pg from 'pg';
import { runCommand, say } from '../processes/command.js';
import { currentEncryptionKeys, loadDataConfig } from '../config/data-config.js';
import { ConfigError } from '../config/environment.js';
import { announceDatabase } from '../database/describe-database.js';
import { reachDatabase } from '../database/reach-database.js';
import { Reseal, ResealSession } from './reseal.js';
import { keyIdOf, SecretBox } from './secret-box.js';

runCommand(async (signal) => {
  const config = loadDataConfig();
  const [first, ...others] = await currentEncryptionKeys(config);
  if (!first)
    throw new ConfigError(['ENCRYPTION_KEY is not set, and DATA_DIR does not contain an encryption-key file.']);
  const { url, release } = await reachDatabase({ ...config, log: { info: say, error: say } });
  try {
    announceDatabase(url);
    const client = new pg.Client({ connectionString: url, application_name: 'trivet reseal' });
    // If a connection breaks between two statements, the next statement reports it.
    client.on('error', () => undefined);
    await client.connect();
    signal.addEventListener('abort', () => void client.end());
    const reseal = new Reseal(new ResealSession(client), new SecretBox([first, ...others]));
    const { resealed, current, forgotten, failures } = await reseal.run().finally(() => client.end());
    const key = `the encryption key ${keyIdOf(first)}`;
    say(`Resealed with ${key}: ${resealed}. Already sealed with it: ${current}. Expired and removed: ${forgotten}.`);
    for (const failure of failures) process.stderr.write(`${failure}\n`);
    return failures.length > 0 ? 1 : 0;
  } finally {
    await release();
  }
});
