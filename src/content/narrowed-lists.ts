import type { Caller } from '../http/caller.js';

/** Which content types (UUIDs) a list over all content types keeps to; null: all. */
export interface OfTypes {
  types: readonly string[] | null;
}

export function ofTypes({ types }: Caller): OfTypes {
  return { types: types ? [...types] : null };
}

/** SQL for the condition that the content type in `column` is one of those. */
export function keepToTypes<const Column extends string>(column: Column) {
  return `(:types::uuid[] IS NULL OR ${column} = ANY (:types))` as const;
}
