import type { AnyRoom } from './room.js';
import { scopesOfRoom } from './room-scopes.js';

/** What must be different in all rooms, and how a message calls it. */
const UNIQUE: readonly (readonly [noun: string, of: (room: AnyRoom) => readonly string[]])[] = [
  ['name', ({ name }) => [name]],
  ['area', ({ area }) => (area === undefined ? [] : [area])],
  ['ID prefix', ({ ids = {} }) => Object.keys(ids)],
  ['event type', eventTypesOf],
  ['tag', ({ tags = [] }) => tags.map(({ name }) => name)],
];

/** The formats that other code relies on, and names that mean something else. */
const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const PREFIX = /^(?!ten$)[a-z]{2,10}$/;
const EVENT = /^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$/;
const SCOPE = /^(?!(?:read|write):)[a-z][a-z0-9_-]*:(?:read|write)(?::[a-z][a-z0-9_-]*)?$/;

/** Returns a sentence for each error in a declaration. */
export function errorsOf(room: AnyRoom): string[] {
  const wrong = (noun: string, names: readonly string[], pattern: RegExp) =>
    names.filter((name) => !pattern.test(name)).map((name) => `"${name}" cannot be ${noun}`);
  const { name, area, ids = {} } = room;
  const events = eventTypesOf(room);
  return [
    ...wrong('the name of a room', [name], NAME),
    ...wrong('an ID prefix', Object.keys(ids), PREFIX),
    ...wrong('an event type', events, EVENT),
    ...wrong('a scope', scopesOfRoom(room), SCOPE),
    ...(events.length > 0 && area === undefined ? ['it declares events but no area whose keys may read them'] : []),
  ];
}

function eventTypesOf({ events = {} }: AnyRoom): string[] {
  return Object.keys(events);
}

/** Returns what a room declares that an earlier one also declares: `the ID prefix "ent" is already declared by content`. */
export function clashesOf(room: AnyRoom, earlier: readonly AnyRoom[]): string[] {
  return UNIQUE.flatMap(([noun, of]) =>
    of(room).flatMap((value, index, values) => {
      if (values.indexOf(value) < index) return [`the ${noun} "${value}" is declared twice`];
      const other = earlier.find((one) => of(one).includes(value));
      return other ? [`the ${noun} "${value}" is already declared by ${other.name}`] : [];
    }),
  );
}
