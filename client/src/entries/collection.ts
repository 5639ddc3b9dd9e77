import type { All, Entry, EntryIn, TaggedEntryIn } from '../schema/entry.js';
import type { FallbackOption, LocaleOption, ShownIn } from '../schema/locales.js';
import type { PartOf, SchemaShape } from '../schema/shape.js';
import type { ChangedValues, NewValues } from '../schema/values.js';
import type { Contract } from '../request/index.js';
import type { ConditionalOptions, WriteOptions } from '../transport/options.js';
import type { ListOptions, PageOptions, Paths, ReadOptions, Selection } from './options.js';
import type { Drafts, EntryLocales, Schedules, Versions } from './parts.js';

/** The names that were selected; all of them if there was no list. */
type NamesIn<N extends readonly string[]> = number extends N['length'] ? All : N[number];
type PathsIn<P extends readonly string[]> = P[number];

/** One page of a list. With `page`, `meta` has the total; with `cursor`, it has the cursor of the next page. */
export interface Page<Item> {
  readonly data: Item[];
  readonly meta: Partial<Contract.EntryPageMeta> & Partial<Contract.EntryCursorMeta>;
}

/** The entries of a content type. */
export interface Collection<S extends SchemaShape, Type extends string> {
  /** One page of the entries. */
  list<
    const P extends Paths<S, Type> = [],
    const N extends Selection<S, Type> = Selection<S, Type>,
    const L extends LocaleOption<S> = undefined,
    F extends FallbackOption = undefined,
  >(
    options?: PageOptions<S, Type, P, N, L, F>,
  ): Promise<Page<EntryIn<S, Type, PathsIn<P>, NamesIn<N>, ShownIn<L, F>>>>;

  /** All entries, read page by page as they are used. */
  all<
    const P extends Paths<S, Type> = [],
    const N extends Selection<S, Type> = Selection<S, Type>,
    const L extends LocaleOption<S> = undefined,
    F extends FallbackOption = undefined,
  >(
    options?: ListOptions<S, Type, P, N, L, F>,
  ): AsyncGenerator<EntryIn<S, Type, PathsIn<P>, NamesIn<N>, ShownIn<L, F>>, void, undefined>;

  get<
    const P extends Paths<S, Type> = [],
    const N extends Selection<S, Type> = Selection<S, Type>,
    const L extends LocaleOption<S> = undefined,
    F extends FallbackOption = undefined,
  >(
    id: string,
    options?: ReadOptions<S, Type, P, N, L, F>,
  ): Promise<TaggedEntryIn<S, Type, PathsIn<P>, NamesIn<N>, ShownIn<L, F>>>;

  /** The entry that has this value of a unique field. */
  getBy<
    const P extends Paths<S, Type> = [],
    const N extends Selection<S, Type> = Selection<S, Type>,
    const L extends LocaleOption<S> = undefined,
    F extends FallbackOption = undefined,
  >(
    field: PartOf<S, Type, 'unique'> & string,
    value: string | number | boolean,
    options?: ReadOptions<S, Type, P, N, L, F>,
  ): Promise<TaggedEntryIn<S, Type, PathsIn<P>, NamesIn<N>, ShownIn<L, F>>>;

  /** The entry of a preview link, with its draft. Needs no key. */
  preview<
    const P extends Paths<S, Type> = [],
    const N extends Selection<S, Type> = Selection<S, Type>,
    const L extends LocaleOption<S> = undefined,
    F extends FallbackOption = undefined,
  >(
    token: string,
    options?: Omit<ReadOptions<S, Type, P, N, L, F>, 'preview' | 'translated'>,
  ): Promise<EntryIn<S, Type, PathsIn<P>, NamesIn<N>, ShownIn<L, F>>>;

  /** Creates a draft, or a published entry with the status `published`. */
  create<const L extends LocaleOption<S> = undefined>(
    fields: NewValues<S, Type, L>,
    options?: WriteOptions & { readonly status?: Entry['status']; readonly locale?: L },
  ): Promise<TaggedEntryIn<S, Type, never, All, L>>;

  /** Changes the fields that are given. With a status, also that. */
  update<const L extends LocaleOption<S> = undefined>(
    id: string,
    fields: ChangedValues<S, Type, L>,
    options?: ConditionalOptions & { readonly status?: Entry['status']; readonly locale?: L },
  ): Promise<TaggedEntryIn<S, Type, never, All, L>>;

  delete(id: string, options?: ConditionalOptions): Promise<void>;

  /** A link that shows the entry with its draft to anybody, for an hour or `expires_in` seconds. */
  createPreviewLink(
    id: string,
    options?: WriteOptions & { readonly expires_in?: number },
  ): Promise<Contract.PreviewLink>;

  readonly drafts: Drafts<S, Type>;
  readonly schedules: Schedules;
  readonly versions: Versions<S, Type>;
  readonly locales: EntryLocales<S>;
}
