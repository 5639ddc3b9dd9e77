import type { SlicedWork } from '../../admission/sliced-work.js';
import type { ValueError } from '../../errors/problem.js';
import type { Schema } from '../../fields/schema.js';
import { mapLeaves } from '../map-leaves.js';
import { formatId } from '../../ids/type-id.js';

/** What an operation with a `ref` came to: the UUID of its entry. */
export interface Ref {
  entryId: string;
  /** The operation failed, so that there may be no such entry. */
  hasFailed: boolean;
}

/** Values in which entry IDs stand for `{"$ref": name}`. */
interface Substituted {
  values: unknown;
  errors: ValueError[];
  /** The same for the same IDs only. */
  key: string;
}

/**
 * Replaces `{"$ref": name}` in reference fields by the ID of the entry of an earlier operation. An unknown name gets an error, and the ID
 * `unknownId`, so that it has no other errors.
 */
export function* substituteRefs(
  schema: Schema,
  values: unknown,
  refs: ReadonlyMap<string, Ref>,
  { unknownId, isAtomic }: { unknownId: string; isAtomic: boolean },
): SlicedWork<Substituted> {
  const errors: ValueError[] = [];
  const used: string[] = [];
  const idOf = (name: string, path: string): string => {
    const ref = refs.get(name);
    // An atomic batch fails with the error of that operation.
    const message = !ref
      ? `No earlier operation has the ref ${name}.`
      : ref.hasFailed && !isAtomic
        ? `The operation with the ref ${name} failed.`
        : undefined;
    if (message !== undefined) errors.push({ path, code: 'reference', message });
    const id = formatId('ent', ref?.entryId ?? unknownId);
    used.push(id);
    return id;
  };
  const replaced = yield* mapLeaves(schema, 'reference', values, (value, path) =>
    isRef(value) ? idOf(value.$ref, path) : value,
  );
  return { values: replaced, errors, key: used.join() };
}

function isRef(value: unknown): value is { $ref: string } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.keys(value).length === 1 && typeof (value as { $ref?: unknown }).$ref === 'string';
}
