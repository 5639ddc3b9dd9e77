import { readInsert } from './insert-text.js';
import {
  type CheckedText,
  declareStatement,
  type RowsByPart,
  positionsOf,
  type Statement,
  type WriteStep,
  type ParameterValues,
  usesTenant,
  valuesOf,
} from './statement.js';

/** What other parts know of a part. */
interface Options {
  /** The part without whose rows this one does nothing. The text uses it. */
  of?: string;
  /** Other parts that the text uses. */
  reads?: readonly string[];
  /** The columns that other parts use, with their types. A part without them is used only for whether it has a row. */
  returns?: Readonly<Record<string, string>>;
  /** Whether the part may return several rows. */
  isMany?: boolean;
  /** Parameters. The part does nothing if one of them is null, false, 0 or an empty array. */
  needs?: readonly string[];
}

/** A part of a write. `Text` is its SQL, as far as the compiler knows it. */
interface WritePart<Text extends string = string> extends Options {
  readonly name: string;
  /** The SQL as an expression of one statement. */
  readonly together: string | undefined;
  /** The SQL as a statement of its own. */
  readonly alone: (parts: Parts) => string;
  /** Exists only in the type. */
  readonly text?: Text;
}

type Parts = ReadonlyMap<string, WritePart>;

/** Declares a part that reads, updates or deletes rows, or that computes something of other parts. */
export function part<const Text extends string>(name: string, text: Text, options: Options = {}): WritePart<Text> {
  return {
    name,
    ...options,
    together: text,
    alone: (parts) => {
      const relations = sourcesOf(options).map((source) => {
        const condition = source === options.of ? '' : ` WHERE :${placeOf(source, HAS_ROW)}::boolean`;
        return `${source} AS (${relationOf(parts, source, condition)})`;
      });
      return relations.length > 0 ? `WITH ${relations.join(', ')} ${text}` : text;
    },
  };
}

/** What an INSERT has besides its SQL. `of` is the part in its FROM. */
interface InsertOptions extends Omit<Options, 'of'> {
  /**
   * Whether something is computed from elements, or from columns of several rows. This includes the rounding of times, which PostgreSQL adds.
   * Such a statement takes about twice as long on a distributed database, and waits while any shard is moved with `block_writes`.
   */
  computes?: boolean;
}

/** A column of a part, or of the arrays' rows. */
const COLUMN = /\b([a-z_]+)\.(\w+)\b/g;

/**
 * Declares a part that inserts a row for each row of a part, for each element of arrays, or both. `text` is the INSERT of the one statement, in one
 * of these forms; `:tenantId` is always the first value:
 *
 *     INSERT INTO t (tenant_id, …) VALUES (:tenantId, …) [ON CONFLICT …] [RETURNING …]
 *     INSERT INTO t (tenant_id, …) SELECT :tenantId, … FROM part, unnest(:elements::text[], …) AS v (element, …)
 *       [WHERE :parameter::type IS NOT NULL] [ORDER BY …] [ON CONFLICT …] [RETURNING …]
 *
 * `part.column` is a column of the part in FROM, and in ON CONFLICT `(SELECT column FROM other)` one of a part that `reads` names. The statement of
 * its own, which follows from this, inserts VALUES. It is omitted if the first array is empty, or the parameter in WHERE is null.
 */
export function insert<const Text extends string>(
  name: string,
  text: Text,
  { computes, ...options }: InsertOptions = {},
): WritePart<Text> {
  const { reads = [] } = options;
  const { into, values, of, arrays, as, needs, elements, end } = readInsert(text);
  return {
    name,
    ...options,
    ...(of !== undefined && { of }),
    needs: [...(options.needs ?? []), ...needs],
    together: text,
    alone: (parts) => {
      const isMany = of !== undefined && parts.get(of)?.isMany;
      const found = (sql: string, otherwise = (whole: string, _table: string, _column: string) => whole) =>
        sql.replace(COLUMN, (whole, table: string, column: string) =>
          table === of && !(computes && isMany) ? valueOf(parts, of, column) : otherwise(whole, table, column),
        );
      const listed = found(values, (whole, table, column) =>
        table === as && arrays.has(column) && !computes ? `unnest(${found(arrays.get(column)!)})` : whole,
      );
      // Citus allows no subquery in ON CONFLICT.
      const ending = end.replace(/\(SELECT (\w+) FROM (\w+)\)/g, (whole, column: string, table: string) =>
        reads.includes(table) ? valueOf(parts, table, column) : whole,
      );
      if (!computes) return `INSERT INTO ${into} VALUES (${listed})${ending}`;
      // Citus inserts the rows of a SELECT into one shard if the tenant's ID comes from a table that is distributed by it.
      const sources = [...(elements === undefined ? [] : [elements]), ...(isMany ? [rowsOf(parts, of)] : [])];
      const ofTenant = listed.replace(/^:tenantId/, 'tenant.id');
      return `INSERT INTO ${into} SELECT ${ofTenant} FROM ${['tenants AS tenant', ...sources].join(', ')} WHERE tenant.id = :tenantId${ending}`;
    },
  };
}

/** SQL for the values of a row, which is inserted only if the part `source` has a row; without `source`, in any case. */
export function rowOf<const Values extends string, const Source extends string = never>(
  values: Values,
  source: Source | undefined,
) {
  return source === undefined ? (`VALUES (${values})` as const) : (`SELECT ${values} FROM ${source}` as const);
}

/** A part that has one form in the one statement, and another one as a statement of its own. Without `together`, it is only the latter. */
export function either<Together extends string, Alone extends string>(
  together: WritePart<Together> | undefined,
  alone: WritePart<Alone>,
): WritePart<Together | Alone> {
  return { ...(alone as WritePart<Together | Alone>), together: together?.together };
}

/** What a write returns: `columns` of the rows of the part `of`. If the parts are statements, all columns of the part are returned. */
interface Returned {
  columns: string;
  of: string;
}

/**
 * Declares a write of several parts (docs/decisions/distributed-writes.md). On PostgreSQL it is one statement with a common table expression
 * for each part. On a distributed database, each part is a statement of one transaction. Without `returned`, the last part is the body of the
 * statement, and its rows are returned.
 */
export function write<Parameters extends ParameterValues<Parameters>, Row>() {
  return <const Text extends string>(
    name: string,
    parts: readonly WritePart<Text>[] & CheckedText<Text, keyof Parameters | 'tenantId', keyof Parameters>,
    returned?: Returned,
  ): Statement<Parameters, Row> => {
    const last = parts.at(-1);
    if (!last) throw new Error(`The write ${name} has no parts.`);
    const expressions = (returned ? parts : parts.slice(0, -1)).filter(({ together }) => together !== undefined);
    const heads = expressions.map((one) => `${one.name} AS (${one.together})`);
    const body = returned ? `SELECT ${returned.columns} FROM ${returned.of}` : last.together!;
    const result = returned?.of ?? last.name;
    const text = heads.length > 0 ? `WITH ${heads.join(', ')} ${body}` : body;
    const steps = inOrder(parts, result).map((one) => stepOf(name, one, parts));
    return declareStatement<Parameters, Row>(name, text, { steps, result });
  };
}

/**
 * The order in which PostgreSQL carries out the parts of one statement, so that both forms lock rows in the same order: first the parts that
 * others use, in their order, and then the others from the last to the first.
 */
function inOrder(parts: readonly WritePart[], result: string): WritePart[] {
  const used = new Set([...parts.flatMap(sourcesOf), result]);
  const body = parts.at(-1)!;
  const isFirst = (one: WritePart) =>
    used.has(one.name) && (one !== body || parts.some((other) => sourcesOf(other).includes(one.name)));
  return [...parts.filter(isFirst), ...parts.filter((one) => !isFirst(one)).reverse()];
}

function stepOf(write: string, part: WritePart, all: readonly WritePart[]): WriteStep {
  const { name, of, needs = [] } = part;
  const parts = new Map(all.map((one) => [one.name, one]));
  for (const source of sourcesOf(part)) {
    if (!parts.has(source))
      throw new Error(`The part ${name} of the write ${write} uses ${source}, which is not a part.`);
  }
  const sql = part.alone(parts);
  const { text, names } = positionsOf(sql, usesTenant(sql) ? ['tenantId'] : []);
  const places = sourcesOf(part).map((source) => parts.get(source)!);
  return {
    part: name,
    text,
    query: (tenantId, parameters, found) => {
      if (of !== undefined && !found.get(of)?.length) return undefined;
      if (needs.some((need) => isNothing((parameters as Record<string, unknown>)[need]))) return undefined;
      const given = { ...parameters, tenantId, ...foundValues(places, found) };
      return { name: `${write}/${name}`, text, values: valuesOf(write, names, given, []) };
    },
  };
}

function sourcesOf({ of, reads = [] }: Options): string[] {
  return of === undefined ? [...reads] : [of, ...reads];
}

const HAS_ROW = 'has_row';

/** The parameter with the values of a column of a part. */
function placeOf(part: string, column: string): string {
  return `${part}__${column}`;
}

/** SQL for the value of a column of a part that was carried out; for each of its rows, if it may have several. */
function valueOf(parts: Parts, name: string, column: string): string {
  const { returns = {}, isMany } = parts.get(name)!;
  const type = returns[column];
  if (type === undefined) throw new Error(`The part ${name} does not declare that it returns ${column}.`);
  const place = `:${placeOf(name, column)}`;
  return isMany ? `unnest(${place}::${type}[])` : `${place}::${type}`;
}

/** SQL for the rows of a part that was carried out. */
function relationOf(parts: Parts, name: string, condition: string): string {
  const { returns = {}, isMany } = parts.get(name)!;
  if (isMany) return `SELECT * FROM ${rowsOf(parts, name)}`;
  const columns = Object.keys(returns).map((column) => `${valueOf(parts, name, column)} AS ${column}`);
  return `SELECT ${columns.join(', ') || '1'}${condition}`;
}

/** SQL for the rows of a part that was carried out, in FROM. The part may have several. */
function rowsOf(parts: Parts, name: string): string {
  const columns = Object.entries(parts.get(name)!.returns ?? {});
  const arrays = columns.map(([column, type]) => `:${placeOf(name, column)}::${type}[]`);
  return `unnest(${arrays.join(', ')}) AS ${name} (${columns.map(([column]) => column).join(', ')})`;
}

/** The values of the parameters of `valueOf` and `relationOf`. */
function foundValues(parts: readonly WritePart[], found: RowsByPart): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { name, returns = {}, isMany } of parts) {
    const rows = found.get(name) ?? [];
    for (const column of Object.keys(returns)) {
      const all = rows.map((row) => row[column] ?? null);
      values[placeOf(name, column)] = isMany ? all : (all[0] ?? null);
    }
    values[placeOf(name, HAS_ROW)] = rows.length > 0;
  }
  return values;
}

function isNothing(value: unknown): boolean {
  return value === null || value === false || value === 0 || (Array.isArray(value) && value.length === 0);
}
