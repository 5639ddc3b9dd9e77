import type { EntryId, IsKept, TargetOf } from './ids.js';
import type { LocaleParts, ShownFields } from './locales.js';
import type { Head, Tail } from './paths.js';
import type { AnySchema, IsAny, Loose, SchemaShape, Slug } from './shape.js';

/**
 * An entry. `Path` are the paths of what was included, `Selected` the names that were selected, all if it is `All`, and `Shown` the locale of the
 * values.
 */
export interface Entry<
  S extends SchemaShape = AnySchema,
  Type extends string = Slug<S>,
  Path = never,
  Selected = All,
  Shown = undefined,
> {
  readonly id: EntryId<Type>;
  readonly content_type_id: string;
  readonly fields: FieldsOf<S, Type, Path, Selected, Shown>;
  readonly status: 'draft' | 'published';
  readonly created_at: string;
  readonly updated_at: string;
  /** When the entry last became published; null for drafts. Missing in what was read without `view: 'full'`. */
  readonly published_at?: string | null;
  /** Where the entry matches the search, by field, as HTML: with `highlight: true`. */
  readonly highlights?: Readonly<Record<string, readonly string[]>>;
}

/** An entry that was got, created or updated. */
export interface TaggedEntry<
  S extends SchemaShape = AnySchema,
  Type extends string = Slug<S>,
  Path = never,
  Selected = All,
  Shown = undefined,
> extends Entry<S, Type, Path, Selected, Shown> {
  /** For `ifMatch`. */
  readonly etag: string;
}

/** The answer to a call that may name a locale. */
export type EntryIn<S extends SchemaShape, Type extends string, Path, Selected, Shown> = Entry<
  S,
  Type,
  Path,
  Selected,
  Shown
> &
  LocaleParts<S, Type, Shown>;

export type TaggedEntryIn<S extends SchemaShape, Type extends string, Path, Selected, Shown> = TaggedEntry<
  S,
  Type,
  Path,
  Selected,
  Shown
> &
  LocaleParts<S, Type, Shown>;

/** Everything is selected. */
export type All = '*';

/** What may be left out of a list of names. */
type FieldsOf<S extends SchemaShape, Type extends string, Path, Selected, Shown> = Type extends unknown
  ? IsAny<S> extends true
    ? Record<string, Loose>
    : Included<S, Chosen<ShownFields<S, Type, Shown>, Selected>, Path, Selected, Shown>
  : never;

type Chosen<Fields, Selected> = [Selected] extends [All] ? Fields : Pick<Fields, Extract<keyof Fields, Selected>>;

/** An object whose references are entries where a path leads to them. What no path begins with stays as it is. */
type Included<S extends SchemaShape, Values, Path, Selected, Shown> = [Path] extends [never]
  ? Values
  : {
      [Name in keyof Values]: Name extends Head<Path>
        ? Placed<S, Values[Name], Tail<Path, Name & string>, SelectedIn<Selected, Name & string>, Shown>
        : Values[Name];
    };

/** A value that a path names or leads through: a reference, a group, a block, or a list of these. */
type Placed<S extends SchemaShape, Value, Path, Selected, Shown> = Value extends readonly (infer Item)[]
  ? Placed<S, Item, Path, Selected, Shown>[]
  : Value extends string
    ? [TargetOf<Value>] extends [never]
      ? Value
      : EntryBehind<S, TargetOf<Value>, Path, Selected, Shown> | (IsKept<Value> extends true ? never : undefined)
    : Value extends object
      ? Included<S, Value, Path, Selected, Shown>
      : Value;

type EntryBehind<S extends SchemaShape, Target extends string, Path, Selected, Shown> = Target extends unknown
  ? EntryIn<S, Target, Path, Selected, Shown>
  : never;

/** What is selected behind a reference or in a group: all of it if nothing is named there. */
type SelectedIn<Selected, Name extends string> = [Selected] extends [All]
  ? All
  : [Tail<Selected, Name>] extends [never]
    ? All
    : Tail<Selected, Name>;
