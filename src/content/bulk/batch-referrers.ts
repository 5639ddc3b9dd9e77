import type { SlicedWork } from '../../admission/sliced-work.js';
import { isGuarded } from '../../fields/constraints/on-delete.js';
import { isReference, type Schema } from '../../fields/schema.js';
import { formatId } from '../../ids/type-id.js';
import { parseSliced } from '../../json/parse-sliced.js';
import type { EntryOfType } from '../entries/entries.sql.js';
import type { EntryFields } from '../entries/writes/entry-values.js';
import { ENTRY, refused, tooMany } from '../references/deletion-problems.js';
import {
  type BatchReferrer,
  byTypeAndId,
  MAX_REFERRERS,
  type ReferrerToClear,
} from '../references/referential-actions.sql.js';
import type { CompiledType } from '../schemas.js';
import { type BatchLookups, UNKNOWN, type Unknown } from './batch-lookups.js';

type OnDelete = Pick<BatchReferrer, 'refuses' | 'clears'>;

/** An entry to delete, and the IDs of the stored entries that refer to it. */
export interface ReferredDeletion {
  typeId: string;
  id: string;
  publicId: string;
  referrers: ReadonlySet<string>;
}

/**
 * The entries that refer to others in fields with `on_delete`, as the operations so far leave them: what is stored, and over it the entries
 * that the operations have changed.
 */
export class BatchReferrers {
  readonly deletions: ReferredDeletion[] = [];
  /** The changed entries of types with such fields, with the public IDs to which they refer. */
  private readonly changed = new Map<string, ReadonlyMap<string, OnDelete>>();
  /** The changed entries that refer to a public ID. */
  private readonly byTarget = new Map<string, Map<string, ReferrerToClear & OnDelete>>();

  constructor(private readonly lookups: BatchLookups) {}

  /** Notes what an operation makes of an entry. `row` is undefined if it deletes it. */
  *note({ id: typeId, schema }: CompiledType, id: string, row: EntryOfType | undefined): SlicedWork<void> {
    if (!schema.isGuarding) return;
    for (const to of this.changed.get(id)?.keys() ?? []) this.byTarget.get(to)?.delete(id);
    const references = row ? yield* guardedReferences(schema, row.fields) : new Map<string, OnDelete>();
    this.changed.set(id, references);
    for (const [to, onDelete] of references) {
      const referrers = this.byTarget.get(to) ?? new Map<string, ReferrerToClear & OnDelete>();
      this.byTarget.set(to, referrers.set(id, { typeId, id, ...onDelete }));
    }
  }

  /** Returns the entries that must be cleared before an entry is deleted, by type and ID. Throws a 409 if the entry must not be deleted. */
  toClear(typeId: string, id: string, isStored: boolean): ReferrerToClear[] | Unknown {
    const stored = isStored ? this.lookups.referrers(typeId, id) : [];
    if (stored === UNKNOWN) return UNKNOWN;
    const publicId = formatId('ent', id);
    const changed = this.byTarget.get(publicId)?.values() ?? [];
    const referrers = [...stored.filter((one) => !this.changed.has(one.id)), ...changed].filter((one) => one.id !== id);
    const refusing = referrers.filter(({ refuses }) => refuses).length;
    if (refusing > 0) throw refused(ENTRY, refusing);
    const clearing = referrers.filter(({ clears }) => clears).sort(byTypeAndId);
    if (clearing.length > MAX_REFERRERS) throw tooMany(ENTRY);
    if (isStored) this.deletions.push({ typeId, id, publicId, referrers: new Set(stored.map((one) => one.id)) });
    return clearing;
  }
}

/** The entries to which values refer, as the index finds them: fields of different blocks with the same name share their rows. */
function* guardedReferences(schema: Schema, fields: string): SlicedWork<Map<string, OnDelete>> {
  const rules = new Map<string, OnDelete>();
  for (const { filterField, definition } of schema.leafFields.filter(isReference)) {
    if (!isGuarded(definition)) continue;
    const { refuses = false, clears = false } = rules.get(filterField) ?? {};
    const isRefusing = definition.on_delete === 'refuse';
    rules.set(filterField, { refuses: refuses || isRefusing, clears: clears || !isRefusing });
  }
  const found = new Map<string, OnDelete>();
  for (const { id, field } of yield* schema.referencesSliced((yield* parseSliced(fields)) as EntryFields)) {
    const rule = rules.get(field.filterField);
    if (!rule) continue;
    const { refuses = false, clears = false } = found.get(id) ?? {};
    found.set(id, { refuses: refuses || rule.refuses, clears: clears || rule.clears });
  }
  return found;
}
