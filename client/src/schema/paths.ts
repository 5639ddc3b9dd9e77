import type { IsAny, PartOf, SchemaShape } from './shape.js';

type References<S extends SchemaShape, Type> = PartOf<S, Type, 'references'>;
type Names<S extends SchemaShape, Type> = keyof References<S, Type> & string;
type Media<S extends SchemaShape, Type> = PartOf<S, Type, 'media'> & string;
type Fields<S extends SchemaShape, Type> = keyof PartOf<S, Type, 'fields'> & string;
type TargetsOf<S extends SchemaShape, Type, Name> = Name extends keyof References<S, Type>
  ? References<S, Type>[Name]
  : never;

/** A path as it is written: editors offer its first name, and the rest is checked by `Checked`. */
export type PathText<S extends SchemaShape, Type> =
  IsAny<S> extends true ? string : Names<S, Type> | Media<S, Type> | `${Names<S, Type>}.${string}`;

/** The path itself if it leads through references to a reference or a media field, else never. Only what is written is looked up. */
export type IncludePath<S extends SchemaShape, Type, Path> =
  IsAny<S> extends true
    ? Path
    : Type extends unknown
      ? Path extends Names<S, Type> | Media<S, Type>
        ? Path
        : {
            [Name in Names<S, Type>]: Path extends `${Name}.${infer Rest}`
              ? Through<Path, IncludePath<S, TargetsOf<S, Type, Name>, Rest>>
              : never;
          }[Names<S, Type>]
      : never;

/** The name of a field, or of one behind a path of references. */
export type SelectText<S extends SchemaShape, Type> =
  IsAny<S> extends true ? string : Fields<S, Type> | `${Names<S, Type>}.${string}`;

export type SelectPath<S extends SchemaShape, Type, Path> =
  IsAny<S> extends true
    ? Path
    : Type extends unknown
      ? Path extends Fields<S, Type>
        ? Path
        : {
            [Name in Names<S, Type>]: Path extends `${Name}.${infer Rest}`
              ? Through<Path, SelectPath<S, TargetsOf<S, Type, Name>, Rest>>
              : never;
          }[Names<S, Type>]
      : never;

type Through<Path, Rest> = [Rest] extends [never] ? never : Path;

/** The first name of each path: that of a field of the entry or of a group. */
export type Head<Path> = Path extends `${infer Name}.${string}` ? Name : Path;

/** What follows a name in the paths that begin with it. */
export type Tail<Path, Name extends string> = Path extends `${Name}.${infer Rest}` ? Rest : never;
