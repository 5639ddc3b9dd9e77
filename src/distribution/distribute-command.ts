import 'reflect-metadata';
import { loadDataConfig } from '../config/data-config.js';
import { announceDatabase } from '../database/servers/describe-database.js';
import { loadModules } from '../load-modules.js';
import { runCommand, say } from '../processes/command.js';
import { tablesOfModules } from '../modules/tables.js';
import { distribute } from './distribute.js';

const MIB = 1_048_576;

runCommand(async () => {
  const { databaseUrl, extensions } = loadDataConfig();
  if (databaseUrl === undefined) {
    throw new Error(
      'Set DATABASE_URL to the coordinator of the Citus cluster. The embedded PostgreSQL cannot be distributed.',
    );
  }
  announceDatabase(databaseUrl);
  await loadModules(extensions);
  const { migrations } = await tablesOfModules();
  const { tables, placement } = await distribute(databaseUrl, migrations);
  say(tables.length === 0 ? 'All tables were distributed already.' : `Distributed: ${tables.join(', ')}.`);
  for (const { node, shards, bytes } of placement) say(`${node}: ${shards} shards, ${Math.ceil(bytes / MIB)} MiB`);
  return 0;
});
