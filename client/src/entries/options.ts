import type { Filter, Sort, Where } from '../schema/filters.js';
import type { IncludePath, PathText, SelectPath, SelectText } from '../schema/paths.js';
import type { LocaleCode } from '../schema/locales.js';
import type { SchemaShape } from '../schema/shape.js';
import type { CallOptions } from '../transport/options.js';

type One<Names> = Names extends readonly (infer Name)[] ? Name : never;

/** Refuses names that lead nowhere, at the place where they stand. */
export type Known<Names extends readonly string[], Valid> = number extends Names['length']
  ? Names
  : { readonly [Index in keyof Names]: Names[Index] extends Valid ? Names[Index] : Valid };

/** The paths that are right, of those that were written. */
type ValidPaths<S extends SchemaShape, Type, Paths> =
  One<Paths> extends infer Path ? (Path extends string ? IncludePath<S, Type, Path> : never) : never;
type ValidNames<S extends SchemaShape, Type, Names> =
  One<Names> extends infer Name ? (Name extends string ? SelectPath<S, Type, Name> : never) : never;

export type Paths<S extends SchemaShape, Type> = readonly PathText<S, Type>[];
export type Selection<S extends SchemaShape, Type> = readonly SelectText<S, Type>[];

/** What shows values in a locale. */
export interface LocaleOptions<L, F> extends CallOptions {
  /** The locale to show: a code, or `*` for localized fields as objects from codes to values. Without it, the default locale is shown. */
  readonly locale?: L;
  /** With `none`, only own values of the locale are shown, and not those of its fallbacks. */
  readonly fallback?: F & ([L] extends [undefined] ? never : unknown);
}

/** What every reading of entries takes. */
export interface ReadOptions<
  S extends SchemaShape,
  Type,
  P extends readonly string[],
  N extends readonly string[],
  L,
  F,
> extends LocaleOptions<L, F> {
  /** References to follow: the entries that they lead to stand in the place of their IDs. Media fields are shown in full. */
  readonly include?: P & Known<P, ValidPaths<S, Type, P>>;
  /** Fields to answer, also those behind references (`author.name`); all by default. */
  readonly select?: N & Known<N, ValidNames<S, Type, N>>;
  /** Shows each entry with its draft. */
  readonly preview?: boolean;
  /** With `full`, entries have `published_at`, and media values their sizes and variants. */
  readonly view?: 'full';
  /** Only entries that are live in these locales; another one is not found. */
  readonly translated?: LocaleCode<S> | readonly LocaleCode<S>[];
}

/** What the list of entries takes. */
export interface ListOptions<
  S extends SchemaShape,
  Type,
  P extends readonly string[],
  N extends readonly string[],
  L,
  F,
> extends ReadOptions<S, Type, P, N, L, F> {
  /** Conditions by field, all of which an entry must meet: `{ price: { lt: 10 } }`. */
  readonly filter?: Filter<S, Type>;
  /** The same with `and`, `or` and `not`. */
  readonly where?: Where<S, Type>;
  readonly sort?: Sort<S, Type> | readonly Sort<S, Type>[];
  readonly search?: string;
  /** The search looks at the titles of the entries referred to, too. */
  readonly referenced?: boolean;
  readonly highlight?: boolean;
  /** Corrects a search that finds nothing. */
  readonly fuzzy?: boolean;
  readonly has_draft?: boolean;
  readonly per_page?: number;
}

/** What one page of the list takes: the number of a page, or a cursor, which is empty for the first page. */
export interface PageOptions<
  S extends SchemaShape,
  Type,
  P extends readonly string[],
  N extends readonly string[],
  L,
  F,
> extends ListOptions<S, Type, P, N, L, F> {
  readonly page?: number;
  readonly cursor?: string;
}
