import { extensionNames } from '../../src/config/extensions.js';
import { connectAndMigrate, dataSourceOptions } from '../../src/database/data-source.js';
import { loadModules } from '../../src/load-modules.js';
import type { Tables } from '../../src/modules/module-manifest.js';
import { tablesOfModules } from '../../src/modules/tables.js';

/** Returns the entities and migrations of Trivet and of the extensions that are on for the test run, without starting the application. */
export async function loadTables(): Promise<Tables> {
  await loadModules(extensionNames());
  return tablesOfModules();
}

/** Creates these tables in a database. */
export async function migrate(url: string): Promise<void> {
  const { migrations } = await loadTables();
  const dataSource = await connectAndMigrate(dataSourceOptions(url, 1, { migrations }));
  await dataSource.destroy();
}
