/** What the file of `trivet types` says of a filter: the type of the values, whether it is a text, and which content types it leads to. */
export interface FilterShape {
  value: unknown;
  text?: true;
  reference?: string;
}

/** What the file of `trivet types` says of a content type. */
export interface TypeShape {
  /** The values as they are read. */
  fields: object;
  /** The values of a new entry. */
  values: object;
  filters: object;
  sort: string;
  /** The names of unique fields. */
  unique: string;
  /** The content types that each reference leads to, by its name. */
  references: object;
  /** The names of media fields. */
  media: string;
  /** The names of localized fields, if there are some. */
  localized: string;
}

/** The interface `Schema` in the file of `trivet types`. */
export interface SchemaShape {
  types: object;
  forms: object;
  /** Only if the tenant has set its locales. */
  locales?: object;
}

/**
 * What `JSON.parse` returns: a value that is not known before it is there. Without the types of a schema, values of entries are used as in
 * JavaScript.
 */
export type Loose = ReturnType<JSON['parse']>;

/** Without the types of a schema, every name is taken, and nothing is known of the values. */
export interface AnySchema {
  types: Record<
    string,
    {
      fields: Record<string, Loose>;
      values: Record<string, Loose>;
      filters: Record<string, { value: Loose; text: true }>;
      sort: string;
      unique: string;
      references: Record<string, string>;
      media: string;
    }
  >;
  forms: Record<string, Record<string, Loose>>;
}

/** The slugs of the content types. */
export type Slug<S extends SchemaShape> = keyof S['types'] & string;

type Shape<S extends SchemaShape, Type> = Type extends keyof S['types'] ? S['types'][Type] : never;

/** One of the parts of what is known of a content type. */
export type PartOf<S extends SchemaShape, Type, Part extends keyof TypeShape> =
  Shape<S, Type> extends Record<Part, infer Value> ? Value : never;

export type IsAny<S extends SchemaShape> = string extends keyof S['types'] ? true : false;
