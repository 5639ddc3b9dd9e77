import type { All, TaggedEntryIn } from '../schema/entry.js';
import type { FallbackOption, LocaleCode, LocaleOption, LocaleParts, ShownFields, ShownIn } from '../schema/locales.js';
import type { SchemaShape } from '../schema/shape.js';
import type { ChangedValues } from '../schema/values.js';
import type { Contract } from '../request/index.js';
import type { CallOptions, ConditionalOptions, WriteOptions } from '../transport/options.js';
import type { LocaleOptions } from './options.js';

/** What is typed otherwise than in the contract. */
type Typed = 'fields' | 'locale' | 'fallbacks';

/** An entry in the locale that a change named, the first of several. */
type ChangedEntry<S extends SchemaShape, Type extends string, L> = TaggedEntryIn<
  S,
  Type,
  never,
  All,
  L extends readonly [infer First, ...unknown[]] ? First : L extends readonly (infer One)[] ? One : L
>;

/** A draft beside the live version: the live values with those of the draft on top. */
export type EntryDraft<S extends SchemaShape, Type, Shown = undefined> = Omit<Contract.Draft, Typed> &
  LocaleParts<S, Type, Shown> & {
    readonly fields: ShownFields<S, Type, Shown>;
    /** For `ifMatch`. It is not that of the entry. */
    readonly etag: string;
  };

/** The drafts of entries that stay live as they are. */
export interface Drafts<S extends SchemaShape, Type extends string> {
  get<const L extends LocaleOption<S> = undefined, F extends FallbackOption = undefined>(
    id: string,
    options?: LocaleOptions<L, F>,
  ): Promise<EntryDraft<S, Type, ShownIn<L, F>>>;
  /** Changes the draft, or begins one. */
  save<const L extends LocaleOption<S> = undefined>(
    id: string,
    fields: ChangedValues<S, Type, L>,
    options?: ConditionalOptions & { readonly locale?: L },
  ): Promise<EntryDraft<S, Type, L>>;
  /** Removes the draft; with a locale, only its values. */
  discard(id: string, options?: ConditionalOptions & { readonly locale?: LocaleCode<S> }): Promise<void>;
  /**
   * Makes the draft live; with locales, only their values. With `force` also if the live version has changed meanwhile. The entry is shown in the
   * first of the locales.
   */
  publish<const L extends LocaleCode<S> | readonly LocaleCode<S>[] | undefined = undefined>(
    id: string,
    options?: ConditionalOptions & { readonly force?: boolean; readonly locale?: L },
  ): Promise<ChangedEntry<S, Type, L>>;
}

/** When an entry is published or withdrawn by itself. */
export interface Schedules {
  get(id: string, options?: CallOptions): Promise<Contract.Schedule>;
  /** Replaces the schedule of the entry. */
  set(id: string, times: Contract.PutSchedule, options?: WriteOptions): Promise<Contract.Schedule>;
  delete(id: string, options?: WriteOptions): Promise<void>;
}

/** An entry as it was. */
export type EntryVersion<S extends SchemaShape, Type, Shown = undefined> = Omit<Contract.WholeVersion, Typed> &
  LocaleParts<S, Type, Shown> & { readonly fields: Partial<ShownFields<S, Type, Shown>> };

/** The history of entries. */
export interface Versions<S extends SchemaShape, Type extends string> {
  /** The versions of an entry, the newest first, without their values. */
  list(
    id: string,
    options?: CallOptions & { readonly page?: number; readonly per_page?: number; readonly cursor?: string },
  ): Promise<Contract.VersionPage>;
  get<const L extends LocaleOption<S> = undefined, F extends FallbackOption = undefined>(
    id: string,
    version: number,
    options?: LocaleOptions<L, F>,
  ): Promise<EntryVersion<S, Type, ShownIn<L, F>>>;
  /** Makes the values as they were; with a locale, only its values. The entry is shown in it. */
  restore<const L extends LocaleCode<S> | undefined = undefined>(
    id: string,
    version: number,
    options?: ConditionalOptions & { readonly locale?: L },
  ): Promise<ChangedEntry<S, Type, L>>;
}

/** What there is of an entry in a locale. */
type EntryLocale<S extends SchemaShape> = Omit<Contract.EntryLocale, 'code'> & { readonly code: LocaleCode<S> };

/** How many entries there are in a locale. */
type TypeLocale<S extends SchemaShape> = Omit<Contract.TypeLocale, 'code'> & { readonly code: LocaleCode<S> };

/** The locales of entries. */
export interface EntryLocales<S extends SchemaShape> {
  /** What there is of an entry in each locale. */
  list(id: string, options?: CallOptions): Promise<EntryLocale<S>[]>;
  /** Takes a locale of an entry off with `live: false`, so that readers see what it falls back to. `live: true` brings it back. */
  set(
    id: string,
    code: LocaleCode<S>,
    state: Contract.SetEntryLocale,
    options?: ConditionalOptions,
  ): Promise<EntryLocale<S>>;
  /** How many entries of the type are live in each locale, are missing, and are behind the default one. */
  count(options?: CallOptions): Promise<TypeLocale<S>[]>;
}
