import type { WrittenFields } from './locales.js';
import type { IsAny, Loose, PartOf, SchemaShape } from './shape.js';

/** The values of a new entry, in the locale `Written`. */
export type NewValues<S extends SchemaShape, Type, Written = undefined> = WrittenFields<
  S,
  Type,
  PartOf<S, Type, 'values'>,
  Written
>;

/** The values of an update: those that are left out stay, and `null` removes one that is not required. */
export type ChangedValues<S extends SchemaShape, Type, Written = undefined> =
  IsAny<S> extends true ? Record<string, Loose> : WrittenFields<S, Type, Partial<PartOf<S, Type, 'values'>>, Written>;

/**
 * The values of a submission, by the slug of the form. Names that begin with `_` are those of the checks for spam (`_t`, `_altcha`) and of
 * honeypots.
 */
export type SubmittedValues<S extends SchemaShape, Form extends keyof S['forms']> = S['forms'][Form] & {
  readonly [mark: `_${string}`]: string | undefined;
};

export type FormSlug<S extends SchemaShape> = keyof S['forms'] & string;
