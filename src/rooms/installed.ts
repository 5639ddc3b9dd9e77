import { GENERAL_SCOPES } from '../config/scopes.js';
import { clashesOf, errorsOf } from './clashes.js';
import type { AnyRoom, Area, EventType, Tag } from './room.js';
import { scopesOfRoom } from './room-scopes.js';

let installed: readonly AnyRoom[] | undefined;

/** Sets the rooms of this process, in the order of the documentation. Throws if two of them declare the same. */
export function installRooms(rooms: readonly AnyRoom[]): void {
  rooms.forEach((room, index) => {
    const [error] = [...errorsOf(room), ...clashesOf(room, rooms.slice(0, index))];
    if (error) throw new Error(`The room ${room.name}: ${error}.`);
  });
  installed = rooms;
}

/** The rooms of this process: Trivet's own, then the extensions. Read it when it is needed, not when a file is loaded. */
export function rooms(): readonly AnyRoom[] {
  if (!installed) throw new Error('No rooms are installed. Call loadRooms first.');
  return installed;
}

/** Every scope that a key can be configured with. */
export function keyScopes(): string[] {
  return [...GENERAL_SCOPES, ...rooms().flatMap(scopesOfRoom)];
}

/** The types of events that a webhook can subscribe to. */
export function eventTypes(): readonly EventType[] {
  return rooms().flatMap(({ events = {} }) => Object.keys(events)) as EventType[];
}

/** Returns the area whose keys may read the data of these events; undefined for a type that no installed room declares. */
export function areaOfEvent(type: string): Area | undefined {
  return rooms().find(({ events = {} }) => Object.hasOwn(events, type))?.area as Area | undefined;
}

export function tags(): readonly Tag[] {
  return rooms().flatMap((room) => room.tags ?? []);
}
