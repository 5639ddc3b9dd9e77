import { extensionNames } from '../../src/config/extensions.js';
import { connectAndMigrate, dataSourceOptions } from '../../src/database/data-source.js';
import { loadRooms } from '../../src/load-rooms.js';
import type { Tables } from '../../src/rooms/room.js';
import { tablesOfRooms } from '../../src/rooms/tables.js';

/** Returns the entities and migrations of Trivet and of the extensions that are on for the test run, without starting the application. */
export async function loadTables(): Promise<Tables> {
  await loadRooms(extensionNames());
  return tablesOfRooms();
}

/** Creates these tables in a database. */
export async function migrate(url: string): Promise<void> {
  const { migrations } = await loadTables();
  const dataSource = await connectAndMigrate(dataSourceOptions(url, 1, { migrations }));
  await dataSource.destroy();
}
