import { targetsOf } from '../../content/content-type.entity.js';
import { MAX_INCLUDE_LEVELS } from '../../content/reading/reading-request.js';
import type { CompiledField } from '../../fields/compiled-field.js';
import type { Schema } from '../../fields/schema.js';
import type { ContractedType } from '../contracted.js';

/** Paths that a contract lists of a type. With more, those of the last levels are left out. */
const MAX_PATHS = 100;

/** Paths of the same number of names, each with the types to which its last reference leads. */
type Level = ReadonlyMap<string, ReadonlySet<ContractedType>>;

/**
 * Returns the paths that `include` takes for entries of the type, as far as they lead to types of the contract. `types` has these by ID. The shorter
 * paths come first. `isComplete` is false if there are too many to list.
 */
export function includePaths(
  type: ContractedType,
  types: ReadonlyMap<string, ContractedType>,
): { paths: readonly string[]; isComplete: boolean } {
  const paths: string[] = [];
  let level: Level = new Map([['', new Set([type])]]);
  // Behind the last reference, there may still be a media field.
  for (let depth = 1; depth <= MAX_INCLUDE_LEVELS + 1 && level.size > 0; depth++) {
    const room = depth === 1 ? Infinity : MAX_PATHS - paths.length;
    const next = levelBelow(level, types, { hasReferences: depth <= MAX_INCLUDE_LEVELS, room });
    if (next.size > room) return { paths, isComplete: false };
    paths.push(...next.keys());
    level = new Map([...next].filter(([, led]) => led.size > 0).map(([path, led]) => [`${path}.`, led]));
  }
  return { paths, isComplete: true };
}

/** Stops when there are more than there is room for. */
function levelBelow(
  level: Level,
  types: ReadonlyMap<string, ContractedType>,
  { hasReferences, room }: { hasReferences: boolean; room: number },
): Level {
  const below = new Map<string, Set<ContractedType>>();
  for (const [path, from] of level) {
    for (const { schema, targets } of from) {
      for (const field of includable(schema)) {
        if (!hasReferences && field.definition.type === 'reference') continue;
        const led = targetsOf(targets, field.key).flatMap((id) => types.get(id) ?? []);
        below.set(path + field.path, new Set([...(below.get(path + field.path) ?? []), ...led]));
        if (below.size > room) return below;
      }
    }
  }
  return below;
}

const fieldsBySchema = new WeakMap<Schema, readonly CompiledField[]>();

function includable(schema: Schema): readonly CompiledField[] {
  const known = fieldsBySchema.get(schema);
  if (known) return known;
  const fields = schema.leafFields.filter(
    ({ locale, definition: { type } }) => locale === undefined && (type === 'media' || type === 'reference'),
  );
  fieldsBySchema.set(schema, fields);
  return fields;
}
