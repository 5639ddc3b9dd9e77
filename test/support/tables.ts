import { loadRooms } from '../../src/load-rooms.js';
import type { Tables } from '../../src/rooms/room.js';
import { tablesOfRooms } from '../../src/rooms/tables.js';

/** Returns the entities and migrations of Trivet's own rooms, for tests that do not start the application. */
export async function ownTables(): Promise<Tables> {
  await loadRooms();
  return tablesOfRooms();
}
