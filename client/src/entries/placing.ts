/** An entry as the service answers it. */
export interface RawEntry {
  readonly id: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The names that follow each name of the paths. */
type Tree = Map<string, Tree>;

export type EntriesById = Readonly<Record<string, RawEntry>>;

/**
 * Puts included entries into the place of the IDs that the paths lead to. An entry that several paths reach is copied once for what each of them
 * includes, so no object contains itself. An ID that leads to no entry becomes undefined.
 */
export function placeIncluded<E extends RawEntry>(
  entries: readonly E[],
  included: EntriesById,
  paths: readonly string[],
): E[] {
  const tree = treeOf(paths);
  const known = new Map(Object.entries(included));
  for (const entry of entries) known.set(entry.id, entry);
  const copies = new Map<Tree, Map<string, RawEntry>>();

  const placeEntry = <One extends RawEntry>(entry: One, names: Tree): One => {
    if (names.size === 0) return entry;
    const done = copies.get(names) ?? new Map<string, RawEntry>();
    copies.set(names, done);
    const copy = done.get(entry.id) ?? { ...entry, fields: placeIn(entry.fields, names) };
    done.set(entry.id, copy);
    return copy as One;
  };

  const placeIn = (values: Readonly<Record<string, unknown>>, names: Tree): Record<string, unknown> => {
    const placed = { ...values };
    for (const [name, rest] of names) if (Object.hasOwn(values, name)) placed[name] = placeValue(values[name], rest);
    return placed;
  };

  const placeValue = (value: unknown, names: Tree): unknown => {
    if (Array.isArray(value)) return value.map((item) => placeValue(item, names));
    if (typeof value === 'string') {
      const entry = known.get(value);
      return entry && placeEntry(entry, names);
    }
    if (typeof value !== 'object' || value === null) return value;
    return placeIn(value as Record<string, unknown>, names);
  };

  return entries.map((entry) => placeEntry(entry, tree));
}

function treeOf(paths: readonly string[]): Tree {
  const root: Tree = new Map();
  for (const path of paths) {
    let place = root;
    for (const name of path.split('.')) {
      const next = place.get(name) ?? (new Map() as Tree);
      place.set(name, next);
      place = next;
    }
  }
  return root;
}
