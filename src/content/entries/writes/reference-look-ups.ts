import type { SlicedWork } from '../../../admission/sliced-work.js';
import { columns, type TextArray } from '../../../database/statements/text-array.js';
import { parseId } from '../../../ids/type-id.js';
import type { ReferenceLocks } from './entry-parts.sql.js';

/** A value of a reference field, and the IDs of the content types that it may refer to. */
export interface SoughtEntry {
  to: string;
  types: readonly string[];
}

/** The look-ups of one or more references: one for each content type of each reference, with the position of the reference, from 0. */
interface LookUps {
  places: TextArray;
  typeIds: TextArray;
  entryIds: TextArray;
}

/** Returns the look-ups for `MISSING_REFERENCES`. A reference without a content type is looked up too, and missing. */
export function* lookUps(references: readonly SoughtEntry[]): SlicedWork<LookUps> {
  const rows: { place: string; type: string | null; to: string | null }[] = [];
  for (const [index, { to, types }] of references.entries()) {
    const entry = { place: String(index), to: parseId('ent', to) ?? null };
    for (const type of types.length > 0 ? types : [null]) rows.push({ ...entry, type });
    if (index % 100 === 99) yield;
  }
  return yield* columns(rows, { places: 'place', typeIds: 'type', entryIds: 'to' } as const);
}

/** Returns the entries that a write must lock because of these references, in one order for all writes. Undefined without references. */
export function* locksOf(references: readonly SoughtEntry[]): SlicedWork<ReferenceLocks | undefined> {
  if (references.length === 0) return undefined;
  const ids = new Set(references.map(({ to }) => to));
  const inOrder = [...references].sort((one, other) => (one.to < other.to ? -1 : 1));
  const { typeIds, entryIds } = yield* lookUps(inOrder);
  return { lockTypes: typeIds, lockIds: entryIds, lockCount: ids.size };
}
