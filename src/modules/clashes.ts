import type { ModuleManifest } from './module-manifest.js';
import { scopesOfModule } from './module-scopes.js';

/** What must be different in all modules, and how a message calls it. */
const UNIQUE: readonly (readonly [noun: string, of: (manifest: ModuleManifest) => readonly string[]])[] = [
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
const SCOPE = /^(?!(?:read|write):)[a-z][a-z0-9_-]*:(?:read|write|draft)(?::[a-z][a-z0-9_-]*)?$/;

/** Returns a sentence for each error in a declaration. */
export function errorsOf(manifest: ModuleManifest): string[] {
  const wrong = (noun: string, names: readonly string[], pattern: RegExp) =>
    names.filter((name) => !pattern.test(name)).map((name) => `"${name}" cannot be ${noun}`);
  const { name, area, ids = {} } = manifest;
  const events = eventTypesOf(manifest);
  return [
    ...wrong('the name of a module', [name], NAME),
    ...wrong('an ID prefix', Object.keys(ids), PREFIX),
    ...wrong('an event type', events, EVENT),
    ...wrong('a scope', scopesOfModule(manifest), SCOPE),
    ...(events.length > 0 && area === undefined ? ['it declares events but no area whose keys may read them'] : []),
  ];
}

function eventTypesOf({ events = {} }: ModuleManifest): string[] {
  return Object.keys(events);
}

/** Returns what a module declares that an earlier one also declares: `the ID prefix "ent" is already declared by content`. */
export function clashesOf(manifest: ModuleManifest, earlier: readonly ModuleManifest[]): string[] {
  return UNIQUE.flatMap(([noun, of]) =>
    of(manifest).flatMap((value, index, values) => {
      if (values.indexOf(value) < index) return [`the ${noun} "${value}" is declared twice`];
      const other = earlier.find((one) => of(one).includes(value));
      return other ? [`the ${noun} "${value}" is already declared by ${other.name}`] : [];
    }),
  );
}
