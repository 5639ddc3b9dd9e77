import 'reflect-metadata';
import pg from 'pg';
import { runCommand, say } from '../processes/command.js';
import { currentEncryptionKeys, loadDataConfig } from '../config/data-config.js';
import { ConfigError } from '../config/environment.js';
import { loadModules } from '../load-modules.js';
import { tablesOfModules } from '../modules/tables.js';
import { announceDatabase } from '../database/servers/describe-database.js';
import { reachDatabase } from '../database/servers/reach-database.js';
import { Reencryption, ReencryptionSession } from './reencrypt.js';
import { keyIdOf, SecretCipher } from './secret-cipher.js';

runCommand(async (signal) => {
  const config = loadDataConfig();
  await loadModules(config.extensions);
  const { encrypted } = await tablesOfModules();
  const [first, ...others] = await currentEncryptionKeys(config);
  if (!first)
    throw new ConfigError(['ENCRYPTION_KEY is not set, and DATA_DIR does not contain an encryption-key file.']);
  const { url, release } = await reachDatabase({ ...config, log: { info: say, error: say } });
  try {
    announceDatabase(url);
    const client = new pg.Client({ connectionString: url, application_name: 'trivet reencrypt' });
    // If a connection breaks between two statements, the next statement reports it.
    client.on('error', () => undefined);
    await client.connect();
    signal.addEventListener('abort', () => void client.end());
    const reencrypt = new Reencryption(
      new ReencryptionSession(client),
      encrypted,
      new SecretCipher([first, ...others]),
    );
    const { reencrypted, current, forgotten, failures } = await reencrypt.run().finally(() => client.end());
    const key = `the encryption key ${keyIdOf(first)}`;
    say(
      `Encrypted again with ${key}: ${reencrypted}. Already encrypted with it: ${current}. Expired and removed: ${forgotten}.`,
    );
    for (const failure of failures) process.stderr.write(`${failure}\n`);
    return failures.length > 0 ? 1 : 0;
  } finally {
    await release();
  }
});
