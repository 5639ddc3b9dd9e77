import type { EntryId, IsKept, TargetOf } from './ids.js';
import type { Head, Tail } from './paths.js';
import type { AnySchema, IsAny, Loose, PartOf, SchemaShape, Slug } from './shape.js';

/** An entry. `Path` are the paths of what was included, and `Selected` the names that were selected, all if it is `All`. */
export interface Entry<S extends SchemaShape = AnySchema, Type extends string = Slug<S>, Path = never, Selected = All> {
  readonly id: EntryId<Type>;
  readonly content_type_id: string;
  readonly fields: FieldsOf<S, Type, Path, Selected>;
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
> extends Entry<S, Type, Path, Selected> {
  /** For `ifMatch`. */
  readonly etag: string;
}

/** Everything is selected. */
export type All = '*';

/** What may be left out of a list of names. */
type FieldsOf<S extends SchemaShape, Type extends string, Path, Selected> = Type extends unknown
  ? IsAny<S> extends true
    ? Record<string, Loose>
    : Included<S, Chosen<PartOf<S, Type, 'fields'>, Selected>, Path, Selected>
  : never;

type Chosen<Fields, Selected> = [Selected] extends [All] ? Fields : Pick<Fields, Extract<keyof Fields, Selected>>;

/** An object whose references are entries where a path leads to them. What no path begins with stays as it is. */
type Included<S extends SchemaShape, Values, Path, Selected> = [Path] extends [never]
  ? Values
  : {
      [Name in keyof Values]: Name extends Head<Path>
        ? Placed<S, Values[Name], Tail<Path, Name & string>, SelectedIn<Selected, Name & string>>
        : Values[Name];
    };

/** A value that a path names or leads through: a reference, a group, a block, or a list of these. */
type Placed<S extends SchemaShape, Value, Path, Selected> = Value extends readonly (infer Item)[]
  ? Placed<S, Item, Path, Selected>[]
  : Value extends string
    ? [TargetOf<Value>] extends [never]
      ? Value
      : EntryBehind<S, TargetOf<Value>, Path, Selected> | (IsKept<Value> extends true ? never : undefined)
    : Value extends object
      ? Included<S, Value, Path, Selected>
      : Value;

type EntryBehind<S extends SchemaShape, Target extends string, Path, Selected> = Target extends unknown
  ? Entry<S, Target, Path, Selected>
  : never;

/** What is selected behind a reference or in a group: all of it if nothing is named there. */
type SelectedIn<Selected, Name extends string> = [Selected] extends [All]
  ? All
  : [Tail<Selected, Name>] extends [never]
    ? All
    : Tail<Selected, Name>;
