/** The ID of an entry of a content type. The mark exists in types only: a value is a plain string. A string from elsewhere may stand for any. */
export type EntryId<Type extends string = string> = string & { readonly '~entry'?: Type };

/** The content types that the ID of a reference leads to; never for other values. */
export type TargetOf<Value> = Value extends string
  ? '~entry' extends keyof Value
    ? Value extends { readonly '~entry'?: infer Type extends string }
      ? Type
      : never
    : never
  : never;

/** Whether a reference always leads to an entry: it is required, and a deletion of that entry is refused. */
export type IsKept<Value> = '~kept' extends keyof Value ? true : false;
