import type { SlicedWork } from '../../admission/sliced-work.js';
import type { ValueError } from '../../errors/problem.js';
import type { UniqueValue } from '../../fields/schema.js';
import { formatId, parseId } from '../../ids/type-id.js';
import { targetsOf } from '../content-type.entity.js';
import type { EntryForWrite, EntryOfType } from '../entries/entries.sql.js';
import { missingError, takenError } from '../entries/writes/entry-validation.js';
import type { EntryFields } from '../entries/writes/entry-values.js';
import type { RowChanges } from '../entries/writes/stored-form.js';
import type { CompiledType } from '../schemas.js';
import { type BatchLookups, type IdHolder, UNKNOWN, type Unknown, uniqueKey } from './batch-lookups.js';

/** Stands for the entry of a ref that no operation has, so that the reference has no other error. No entry has it. */
export const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000';

/** An entry as the operations so far leave it. `row` is undefined if they delete it. */
export interface EntryState {
  type: CompiledType;
  row?: EntryOfType;
  stored?: EntryForWrite;
  isChanged: boolean;
}

/** What is stored, as the operations of a batch so far leave it. `UNKNOWN` is what must be looked up first. */
export class BatchStates {
  private readonly states = new Map<string, EntryState>();
  /** The entries that hold unique values after the operations so far. Null: no entry holds it any more. */
  private readonly claims = new Map<string, string | null>();
  /** IDs that stand for the entry of an operation that failed, or that does not exist. */
  private readonly assumed = new Set([formatId('ent', UNKNOWN_ID)]);

  constructor(private readonly lookups: BatchLookups) {}

  /** The entry; undefined if the type has no such entry. */
  entry(type: CompiledType, id: string | undefined): EntryState | undefined | Unknown {
    if (id === undefined) return undefined;
    const changed = this.states.get(id);
    if (changed) return changed.type.id === type.id ? changed : undefined;
    const stored = this.lookups.entry(type.id, id);
    if (stored === UNKNOWN || stored === undefined) return stored;
    return { type, stored, row: { ...stored, typeId: type.id }, isChanged: false };
  }

  /** Who has an ID that a new entry is to get, before the batch. */
  idHolder(id: string): IdHolder | Unknown {
    return this.lookups.idHolder(id);
  }

  create(type: CompiledType, row: EntryOfType): void {
    this.states.set(row.id, { type, row, isChanged: true });
  }

  /** Notes the new state, and returns what the first change of a stored entry needs. */
  replace(
    { type, stored, isChanged, row: before }: EntryState,
    row: EntryOfType | undefined,
  ): { stored?: EntryForWrite } {
    this.states.set(before?.id ?? '', { type, stored, row, isChanged: true });
    return isChanged ? {} : { stored };
  }

  /** False for an entry that the batch creates. */
  mayBeStored(id: string): boolean {
    const state = this.states.get(id);
    return !state || state.stored !== undefined;
  }

  /** From now on, references to the entry of a failed operation have no error of their own. */
  assume(id: string): void {
    this.assumed.add(formatId('ent', id));
  }

  claim(type: CompiledType, id: string, { added, removed }: RowChanges['uniques']): void {
    const set = (uniques: readonly UniqueValue[], holder: string | null) => {
      for (const { field, key: value } of uniques)
        this.claims.set(uniqueKey({ typeId: type.id, field, value }), holder);
    };
    set(removed, null);
    set(added, id);
  }

  /** The ID of the entry that holds a unique value; undefined if none does. */
  holder(unique: Parameters<BatchLookups['holder']>[0]): string | undefined | Unknown {
    const claim = this.claims.get(uniqueKey(unique));
    return claim === undefined ? this.lookups.holder(unique) : (claim ?? undefined);
  }

  /** Returns the errors of the unique values that other entries hold, and of missing references. Also asks for `more` unique values. */
  *faults(
    type: CompiledType,
    id: string,
    values: EntryFields,
    more: readonly UniqueValue[],
    uniques: readonly UniqueValue[],
  ): SlicedWork<ValueError[] | Unknown> {
    const errors: ValueError[] = [];
    let isComplete = true;
    for (const { field, key: value } of more) {
      if (this.holder({ typeId: type.id, field, value }) === UNKNOWN) isComplete = false;
    }
    for (const unique of uniques) {
      const holder = this.holder({ typeId: type.id, field: unique.field, value: unique.key });
      if (holder === UNKNOWN) isComplete = false;
      else if (holder !== undefined && holder !== id) errors.push(takenError(unique));
    }
    for (const reference of yield* type.schema.referencesSliced(values)) {
      const exists = this.exists(reference.id, targetsOf(type.targets, reference.field.key));
      if (exists === UNKNOWN) isComplete = false;
      else if (!exists) errors.push(missingError(reference));
    }
    return isComplete ? errors : UNKNOWN;
  }

  private exists(publicId: string, types: readonly string[]): boolean | Unknown {
    const id = parseId('ent', publicId);
    const state = id === undefined ? undefined : this.states.get(id);
    if (state) return state.row !== undefined && types.includes(state.type.id);
    // The ref that it stands for has an error already.
    if (this.assumed.has(publicId)) return true;
    return this.lookups.exists({ to: publicId, types });
  }
}
