import type { IsAny, Loose, PartOf, SchemaShape } from './shape.js';

/** What the file of `trivet types` says of the locales; without it, of any tenant. */
interface LocalesShape {
  codes: string;
  default: string;
  completed: string;
}

type Locales<S extends SchemaShape> = S extends { locales: infer Known extends LocalesShape } ? Known : LocalesShape;

/** The codes of the tenant's locales; any text if they are not known. */
export type LocaleCode<S extends SchemaShape> = Locales<S>['codes'];

/** In which locale a call reads or writes: a code, `*` for all of them, or the default one. */
export type LocaleOption<S extends SchemaShape> = LocaleCode<S> | '*' | undefined;

/** `none` shows only own values of the locale. */
export type FallbackOption = 'none' | undefined;

/** Only own values of a locale. */
interface Own<Code> {
  own: Code;
}

/** The locale of a call in one type: undefined for the default one, `*`, a code, or `Own` of one. */
export type ShownIn<Locale, Fallback = undefined> = Locale extends '*' | undefined
  ? Locale
  : Fallback extends 'none'
    ? Own<Locale>
    : Locale;

/** The names of the localized fields. */
type Localized<S extends SchemaShape, Type> =
  IsAny<S> extends true ? string : Type extends unknown ? PartOf<S, Type, 'localized'> & string : never;

/** What an entry, a draft or a version has besides if the call names a locale. */
export type LocaleParts<S extends SchemaShape, Type, Shown> = Shown extends undefined
  ? unknown
  : Shown extends '*'
    ? { readonly locale: '*' }
    : Shown extends Own<infer Code>
      ? { readonly locale: Code }
      : {
          readonly locale: Shown;
          /** The locales of values that come from others, by field. Missing if there are none. */
          readonly fallbacks?: { readonly [Name in Localized<S, Type>]?: LocaleCode<S> };
        };

/** What the data of an event about an entry has besides `fields`, which are the values of the default locale. */
interface EventParts<Values, Codes> {
  /** The own values of the other locales that are live, by code. */
  readonly localized: Values;
  /** The locales whose values changed, or that were taken off or brought back. */
  readonly locales_changed: Codes;
}

/** The same of a content type. One without localized fields has neither. */
export type EventPartsOf<S extends SchemaShape, Type> =
  IsAny<S> extends true
    ? Partial<EventParts<Record<string, Record<string, Loose>>, readonly string[]>>
    : [PartOf<S, Type, 'localized'>] extends [never]
      ? Partial<EventParts<undefined, undefined>>
      : EventParts<OwnByCode<S, PartOf<S, Type, 'fields'>, PartOf<S, Type, 'localized'>>, readonly LocaleCode<S>[]>;

/** A locale has no value of a field that is shown by a fallback, also if the field is required. */
type OwnByCode<S extends SchemaShape, Fields, Names> = {
  readonly [Code in OtherCode<S>]?: Partial<Pick<Fields, Names & keyof Fields>>;
};

/** The values as they are read in a locale. */
export type ShownFields<S extends SchemaShape, Type, Shown> = Shown extends undefined
  ? PartOf<S, Type, 'fields'>
  : [PartOf<S, Type, 'localized'>] extends [never]
    ? PartOf<S, Type, 'fields'>
    : Shown extends '*'
      ? EachByCode<S, PartOf<S, Type, 'fields'>, PartOf<S, Type, 'localized'>>
      : IsComplete<S, Shown> extends true
        ? PartOf<S, Type, 'fields'>
        : Loosened<PartOf<S, Type, 'fields'>, PartOf<S, Type, 'localized'>>;

/** Whether a required value is always shown: values of the default locale are, and the fallbacks of a locale may end there. */
type IsComplete<S extends SchemaShape, Shown> =
  Shown extends Own<infer Code>
    ? Code extends Locales<S>['default']
      ? true
      : false
    : Shown extends Locales<S>['completed']
      ? true
      : false;

/** Objects whose localized values may be missing. */
type Loosened<Fields, Names> = Omit<Fields, Names & keyof Fields> & Partial<Pick<Fields, Names & keyof Fields>>;

/** Objects whose localized values are objects from codes to values. Without a value in any locale, there is no object. */
type EachByCode<S extends SchemaShape, Fields, Names> = {
  [Name in keyof Fields]: Name extends Names ? ByCode<S, Fields[Name]> : Fields[Name];
};

type ByCode<S extends SchemaShape, Value> = undefined extends Value
  ? { [Code in LocaleCode<S>]?: Exclude<Value, undefined> }
  : { [Code in Locales<S>['default']]: Value } & { [Code in OtherCode<S>]?: Value };

type OtherCode<S extends SchemaShape> = Exclude<LocaleCode<S>, Locales<S>['default']>;

/** Values as they are written in a locale. `Values` are those of the default one. */
export type WrittenFields<S extends SchemaShape, Type, Values, Written> = Written extends undefined
  ? Values
  : [PartOf<S, Type, 'localized'>] extends [never]
    ? Values
    : Written extends '*'
      ? EachWrittenByCode<S, Values, PartOf<S, Type, 'localized'>>
      : Written extends Locales<S>['default']
        ? Values
        : Removable<Values, PartOf<S, Type, 'localized'>>;

/** Values of a locale other than the default: none of them must be there. */
type Removable<Values, Names> = Omit<Values, Names & keyof Values> & {
  [Name in Names & keyof Values]?: Exclude<Values[Name], undefined> | null;
};

/** Codes that are left out stay as they are, and `null` removes a value. */
type EachWrittenByCode<S extends SchemaShape, Values, Names> = {
  [Name in keyof Values]: Name extends Names ? WrittenByCode<S, Values[Name]> : Values[Name];
};

type WrittenByCode<S extends SchemaShape, Value> = undefined extends Value
  ? | ({ [Code in Locales<S>['default']]?: Exclude<Value, undefined> } & OfOthers<S, Value>)
    | (null extends Value ? null : never)
  : { [Code in Locales<S>['default']]: Value } & OfOthers<S, Value>;

type OfOthers<S extends SchemaShape, Value> = { [Code in OtherCode<S>]?: Exclude<Value, undefined> | null };
