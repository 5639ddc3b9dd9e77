import type { TaggedEntry } from '../schema/entry.js';
import type { PartOf, SchemaShape } from '../schema/shape.js';
import type { ChangedValues } from '../schema/values.js';
import type { Contract } from '../request/index.js';
import type { CallOptions, ConditionalOptions, WriteOptions } from '../transport/options.js';

/** A draft beside the live version: the live values with those of the draft on top. */
export interface EntryDraft<S extends SchemaShape, Type> extends Omit<Contract.Draft, 'fields'> {
  readonly fields: PartOf<S, Type, 'fields'>;
  /** For `ifMatch`. It is not that of the entry. */
  readonly etag: string;
}

/** The drafts of entries that stay live as they are. */
export interface Drafts<S extends SchemaShape, Type extends string> {
  get(id: string, options?: CallOptions): Promise<EntryDraft<S, Type>>;
  /** Changes the draft, or begins one. */
  save(id: string, fields: ChangedValues<S, Type>, options?: ConditionalOptions): Promise<EntryDraft<S, Type>>;
  discard(id: string, options?: ConditionalOptions): Promise<void>;
  /** Makes the draft live. With `force` also if the live version has changed meanwhile. */
  publish(id: string, options?: ConditionalOptions & { readonly force?: boolean }): Promise<TaggedEntry<S, Type>>;
}

/** When an entry is published or withdrawn by itself. */
export interface Schedules {
  get(id: string, options?: CallOptions): Promise<Contract.Schedule>;
  /** Replaces the schedule of the entry. */
  set(id: string, times: Contract.PutSchedule, options?: WriteOptions): Promise<Contract.Schedule>;
  delete(id: string, options?: WriteOptions): Promise<void>;
}

/** An entry as it was. */
export interface EntryVersion<S extends SchemaShape, Type> extends Omit<Contract.WholeVersion, 'fields'> {
  readonly fields: Partial<PartOf<S, Type, 'fields'>>;
}

/** The history of entries. */
export interface Versions<S extends SchemaShape, Type extends string> {
  /** The versions of an entry, the newest first, without their values. */
  list(
    id: string,
    options?: CallOptions & { readonly page?: number; readonly per_page?: number; readonly cursor?: string },
  ): Promise<Contract.VersionPage>;
  get(id: string, version: number, options?: CallOptions): Promise<EntryVersion<S, Type>>;
  /** Makes the values as they were. */
  restore(id: string, version: number, options?: ConditionalOptions): Promise<TaggedEntry<S, Type>>;
}
