import type { Value } from './value.js';

/**
 * A statement whose parameters have names. It is prepared once on each connection, under its own name.
 *
 * In the text `:name` is a parameter, and `:tenantId` is the tenant's ID, which always becomes `$1`. A text must not contain a colon
 * followed by a lower-case letter for anything else, apart from casts (`::text`).
 */
export interface Statement<Parameters, Row> {
  readonly name: string;
  readonly text: string;
  /** The tables into which the statement inserts rows. */
  readonly inserts: readonly string[];
  /** Whether the statement changes or locks rows. */
  readonly writes: boolean;
  /** The values of `$1`, `$2`, … Throws when one is undefined, which would be sent as NULL. */
  readonly bind: (tenantId: string, parameters: Parameters) => unknown[];
  /** What replaces the statement on a distributed database, if it is a write of several parts (see `write`). */
  readonly steps?: WriteSteps;
  /** Exists only in the type: the shape of a row. */
  readonly row?: Row;
}

/** Statements that are run one after the other in a transaction, as long as earlier ones return the rows that they need. */
export interface WriteSteps {
  readonly steps: readonly WriteStep[];
  /** The part whose rows are the result. */
  readonly result: string;
}

export interface WriteStep {
  /** The part of the write that the statement carries out. */
  readonly part: string;
  readonly text: string;
  /** Returns the query. `found` has the rows of earlier parts. Returns undefined if the query would do nothing. */
  readonly query: (tenantId: string, parameters: object, found: RowsByPart) => BoundQuery | undefined;
}

export type RowsByPart = ReadonlyMap<string, readonly Readonly<Record<string, unknown>>[]>;

interface BoundQuery {
  name: string;
  text: string;
  values: unknown[];
}

/** A statement that is not for one tenant. If it uses rows of tenants, it must be a plain read that locks nothing. */
export interface ServiceStatement<Parameters, Row> {
  readonly name: string;
  readonly text: string;
  readonly bind: (parameters: Parameters) => unknown[];
  readonly row?: Row;
}

/** The parameters of a statement that has none except `:tenantId`. */
export type NoParameters = Record<never, never>;

interface Declared {
  readonly name: string;
  readonly text: string;
  /** Whether `$1` is the tenant's ID. */
  readonly isOfTenant: boolean;
  /** The texts of the statements that replace it on a distributed database. */
  readonly steps?: readonly string[];
}

/** A name is that of a prepared statement, so it has only one text. */
const declared = new Map<string, Declared>();

/** Returns the statements that the loaded files declare. The tests check each of them, also those that never ran. */
export function declaredStatements(): Declared[] {
  return [...declared.values()];
}

function declare(statement: Declared): void {
  const other = declared.get(statement.name);
  if (other && other.text !== statement.text) throw new Error(`Two statements are named ${statement.name}.`);
  declared.set(statement.name, statement);
}

export type ParameterValues<Parameters> = { [Name in keyof Parameters]: Value };

/**
 * Declares a statement for one tenant at a time: `statement<{ typeId: string }, { total: number }>()('entries.count', '… :typeId …')`.
 * A parameter that the text names and `Parameters` lacks does not compile, nor does one that the text never uses. Throws if the text
 * does not use `:tenantId`.
 */
export function statement<Parameters extends ParameterValues<Parameters>, Row>() {
  return <const Text extends string>(
    name: string,
    text: Text & CheckedText<Text, keyof Parameters | 'tenantId', keyof Parameters>,
  ): Statement<Parameters, Row> => declareStatement(name, text);
}

/** Declares a statement whose names are checked already. */
export function declareStatement<Parameters extends object, Row>(
  name: string,
  text: string,
  steps?: WriteSteps,
): Statement<Parameters, Row> {
  const { text: positional, names } = positionsOf(text, ['tenantId']);
  if (!usesTenant(text)) throw new Error(`The statement ${name} does not use :tenantId.`);
  const others = names.slice(1);
  declare({ name, text: positional, isOfTenant: true, ...(steps && { steps: steps.steps.map((step) => step.text) }) });
  const bind = (tenantId: string, parameters: Parameters) => valuesOf(name, others, parameters, [tenantId]);
  const kind = { inserts: insertsOf(text), writes: WRITES.test(text) };
  return { name, text: positional, ...kind, bind, ...(steps && { steps }) };
}

export function usesTenant(text: string): boolean {
  return /(?<!:):tenantId\b/.test(text);
}

/** Declares a statement that is not for one tenant. */
export function serviceStatement<Parameters extends ParameterValues<Parameters>, Row>() {
  return <const Text extends string>(
    name: string,
    text: Text & CheckedText<Text, keyof Parameters, keyof Parameters>,
  ): ServiceStatement<Parameters, Row> => {
    const { text: positional, names } = positionsOf(text, []);
    declare({ name, text: positional, isOfTenant: false });
    return { name, text: positional, bind: (parameters) => valuesOf(name, names, parameters, []) };
  };
}

const WRITES = /\b(INSERT INTO|UPDATE|DELETE FROM|FOR (KEY )?SHARE)\b/;

function insertsOf(text: string): string[] {
  return [...new Set([...text.matchAll(/\bINSERT INTO (\w+)/g)].map(([, table = '']) => table))];
}

/** Replaces each name with `$n`. The names in `first` get the first numbers, the others follow in the order of their first use. */
export function positionsOf(text: string, first: readonly string[]): { text: string; names: readonly string[] } {
  const names = [...first];
  const positional = text.replace(/(?<!:):([a-z]\w*)/g, (_match, name: string) => {
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  return { text: positional, names };
}

/** Appends the values of the names to `values`. Throws a TypeError if one is undefined. */
export function valuesOf(
  statement: string,
  names: readonly string[],
  parameters: object,
  values: unknown[],
): unknown[] {
  for (const name of names) {
    const value = (parameters as Record<string, unknown>)[name];
    if (value === undefined) throw new TypeError(`The statement ${statement} needs a value for :${name}.`);
    values.push(value);
  }
  return values;
}

/** `unknown` if the names in the text are right. Otherwise a type that describes the error, and to which no text can be assigned. */
export type CheckedText<Text extends string, Known, Needed> =
  Exclude<NamesIn<Text>, Known> extends never
    ? IsLiteral<Text> extends true
      ? Exclude<Needed, NamesIn<Text>> extends never
        ? unknown
        : { theTextDoesNotUse: Exclude<Needed, NamesIn<Text>> }
      : unknown
    : { notAmongTheParameters: Exclude<NamesIn<Text>, Known> };

/** Whether the whole text, or each one of several, is known to the compiler. A template with a part of type `string` is not. */
type IsLiteral<Text extends string> = true extends IsOpen<Text> ? false : true;

type IsOpen<Text extends string> = Text extends string
  ? Record<never, never> extends Record<Text, true>
    ? true
    : false
  : never;

type NamesIn<Text, Found = never> = Text extends `${string}:${infer Rest}`
  ? Rest extends `:${infer AfterCast}`
    ? NamesIn<AfterCast, Found>
    : NamesIn<Rest, Found | NameAtStart<Rest>>
  : Found;

type NameAtStart<Text> = Text extends `${infer First}${string}`
  ? First extends Lower
    ? NameCharacters<Text>
    : never
  : never;

type NameCharacters<Text, Name extends string = ''> = Text extends `${infer Character}${infer Rest}`
  ? Character extends Lower | Uppercase<Lower> | Digit | '_'
    ? NameCharacters<Rest, `${Name}${Character}`>
    : Name
  : Name;

type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9';
// prettier-ignore
type Lower =
  | 'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h' | 'i' | 'j' | 'k' | 'l' | 'm'
  | 'n' | 'o' | 'p' | 'q' | 'r' | 's' | 't' | 'u' | 'v' | 'w' | 'x' | 'y' | 'z';
