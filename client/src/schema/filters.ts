import type { FilterShape, IsAny, Loose, PartOf, SchemaShape } from './shape.js';

type Status = 'draft' | 'published';

/** What every entry has, beside its fields. */
interface SystemFilters {
  id: { value: string; text: true };
  status: { value: Status; text: true };
  created_at: { value: string };
  updated_at: { value: string };
  published_at: { value: string };
}

type Own<S extends SchemaShape, Type> = PartOf<S, Type, 'filters'>;

/** The filters of a content type, with its own before those of every entry. */
type ShapeAt<S extends SchemaShape, Type, Name> = Name extends keyof Own<S, Type>
  ? Own<S, Type>[Name]
  : Name extends keyof SystemFilters
    ? SystemFilters[Name]
    : never;

type Names<S extends SchemaShape, Type> = Type extends unknown
  ? (keyof Own<S, Type> & string) | keyof SystemFilters
  : never;

/** The names of the references that filters look through. */
type Lenses<S extends SchemaShape, Type> = {
  [Name in keyof Own<S, Type> & string]: Own<S, Type>[Name] extends { reference: string } ? Name : never;
}[keyof Own<S, Type> & string];

type Behind<S extends SchemaShape, Type, Lens> =
  ShapeAt<S, Type, Lens> extends { reference: infer Target } ? Target : never;

/** What a filter accepts: a value, or operators with theirs. */
type Operators<Shape> = Shape extends FilterShape
  ? | Shape['value']
    | null
    | ({
        eq?: Shape['value'];
        ne?: Shape['value'] | null;
        in?: readonly Shape['value'][];
        lt?: Shape['value'];
        lte?: Shape['value'];
        gt?: Shape['value'];
        gte?: Shape['value'];
        exists?: boolean;
      } & (Shape extends { text: true } ? { contains?: string; starts_with?: string } : unknown))
  : never;

type Direct<S extends SchemaShape, Type> = { [Name in Names<S, Type>]?: Operators<ShapeAt<S, Type, Name>> };

type Through<S extends SchemaShape, Type> = {
  [Lens in Lenses<S, Type>]: {
    [Name in Names<S, Behind<S, Type, Lens>> as `${Lens}.${Name}`]?: Operators<
      TargetShape<S, Behind<S, Type, Lens>, Name>
    >;
  };
}[Lenses<S, Type>];

type TargetShape<S extends SchemaShape, Target, Name> = Target extends unknown ? ShapeAt<S, Target, Name> : never;

type Intersected<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** Conditions by field, also by fields behind a reference (`author.name`). An entry must meet all of them. */
export type Filter<S extends SchemaShape, Type> =
  IsAny<S> extends true
    ? Record<string, Loose>
    : Direct<S, Type> & ([Lenses<S, Type>] extends [never] ? unknown : Intersected<Through<S, Type>>);

/** Conditions that are combined. */
export type Where<S extends SchemaShape, Type> =
  IsAny<S> extends true
    ? Record<string, Loose>
    : Filter<S, Type> & {
        and?: readonly Where<S, Type>[];
        or?: readonly Where<S, Type>[];
        not?: Where<S, Type>;
      };

type SortName<S extends SchemaShape, Type> = (PartOf<S, Type, 'sort'> & string) | keyof SystemFilters;

/** The name of a field, with a `-` for descending order. */
export type Sort<S extends SchemaShape, Type> =
  IsAny<S> extends true ? string : SortName<S, Type> | `-${SortName<S, Type>}`;
