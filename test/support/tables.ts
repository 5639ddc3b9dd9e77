import { extensionNames } from '../../src/config/extensions.js';
import { loadRooms } from '../../src/load-rooms.js';
import type { Tables } from '../../src/rooms/room.js';
import { tablesOfRooms } from '../../src/rooms/tables.js';

/** Returns the entities and migrations of Trivet and of the extensions that are on for the test run, without starting the application. */
export async function loadTables(): Promise<Tables> {
  await loadRooms(extensionNames());
  return tablesOfRooms();
}
