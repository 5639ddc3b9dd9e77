import { DataSource } from 'typeorm';
import { extensionNames } from './src/config/extensions.js';
import { dataSourceOptions, onCitus } from './src/database/data-source.js';
import { loadModules } from './src/load-modules.js';
import { tablesOfModules } from './src/modules/tables.js';

/**
 * The data source for TypeORM's command line: `DATABASE_URL=… node scripts/typeorm.mjs migration:show -d ormconfig.ts`. The service runs its
 * migrations when it starts.
 */
const url = process.env['DATABASE_URL'];
if (!url) throw new Error('Set DATABASE_URL to the database that the command is for.');

await loadModules(extensionNames());
export default new DataSource(onCitus(dataSourceOptions(url, 1, await tablesOfModules())));
