import { Problem } from '../../errors/problem.js';
import type { CompiledField } from '../../fields/compiled-field.js';
import type { Schema } from '../../fields/schema.js';
import { countCodePoints, shorten } from '../../fields/text.js';
import type { Query } from '../../http/query.js';
import { faultOfText } from '../../http/storable-values.js';
import { type Json, readJson, UnreadableJsonError } from '../../json/read-json.js';
import { allOf, anyOf, type Condition, isSystemColumn, negate, unknownFilterField } from './entry-conditions.js';
import { assertFilterable, type Filter, isOperator, type Operator, OPERATORS, resolveFilter } from './entry-filters.js';

/** Maximum levels of `and`, `or` and `not`. */
export const MAX_LEVELS = 5;
/** Maximum conditions on fields. */
export const MAX_CONDITIONS = 20;
/** Levels of JSON that are read at all. It exceeds what the other limits allow, so that these are reported. */
const MAX_JSON_LEVELS = 64;

/** The parameter `where`, before its names are looked up in the schema. `path` is for messages. */
export type Where =
  | { kind: 'and' | 'or'; parts: readonly Where[] }
  | { kind: 'not'; part: Where }
  | { kind: 'field'; path: string; name: string; tests: readonly Test[] };

interface Test {
  path: string;
  operator: Operator;
  operand: Json;
}

type Members = ReadonlyMap<string, Json>;

/** Reads `where` from the query string; undefined if it is not sent. Throws a 400 if it is malformed, too deep or too long. */
export function readWhere({ where }: Query): Where | undefined {
  return where === undefined ? undefined : new WhereReader().read(parse(where as string));
}

/** Looks up the names in the schema and reads the values. Throws a 400 (`unknown_field` or `invalid_parameter`). */
export function resolveWhere(where: Where, schema: Schema): Condition {
  switch (where.kind) {
    case 'and':
      return allOf(where.parts.map((part) => resolveWhere(part, schema)));
    case 'or':
      return anyOf(where.parts.map((part) => resolveWhere(part, schema)));
    case 'not':
      return negate(resolveWhere(where.part, schema));
    case 'field': {
      const { path, name, tests } = where;
      const field = schema.field(name);
      if (field) assertFilterable(field, path);
      else if (!isSystemColumn(name)) throw unknownFilterField(path, name, schema);
      return allOf(tests.map((test) => resolveFilter(filterOf(name, test, jsonTypeOf(field)), schema)));
    }
  }
}

function parse(text: string): Json {
  try {
    return readJson(text, MAX_JSON_LEVELS);
  } catch (error) {
    if (!(error instanceof UnreadableJsonError)) throw error;
    const position = countCodePoints(text.slice(0, error.index)) + 1;
    throw fault('where', `is not valid JSON: it ${error.reason} at position ${position}`);
  }
}

class WhereReader {
  private conditions = 0;

  read(json: Json): Where {
    return this.object(json, 'where', 0);
  }

  /** `level` is the number of `and`, `or` and `not` around the object. */
  private object(json: Json, path: string, level: number): Where {
    const members = membersOf(json, path);
    const parts = [...members].map(([name, value]): Where => {
      const at = `${path}.${shorten(name)}`;
      if (name !== 'and' && name !== 'or' && name !== 'not') return this.field(name, value, at);
      if (level === MAX_LEVELS) throw fault(at, `is more than ${MAX_LEVELS} levels of and, or and not deep`);
      if (name === 'not') return { kind: 'not', part: this.object(value, at, level + 1) };
      if (!Array.isArray(value)) throw fault(at, 'must be a list of objects');
      const list = value as readonly Json[];
      return { kind: name, parts: list.map((part, index) => this.object(part, `${at}.${index}`, level + 1)) };
    });
    return { kind: 'and', parts };
  }

  private field(name: string, value: Json, path: string): Where {
    if (Array.isArray(value)) throw fault(path, 'must not be a list: use in, or contains');
    const tests = value instanceof Map ? [...(value as Members)].map((member) => test(member, path)) : [];
    if (!(value instanceof Map)) tests.push({ path, operator: 'eq', operand: value });
    this.conditions += tests.length;
    if (this.conditions > MAX_CONDITIONS) throw fault('where', `must have at most ${MAX_CONDITIONS} conditions`);
    return { kind: 'field', path, name, tests };
  }
}

function test([operator, operand]: readonly [string, Json], path: string): Test {
  const at = `${path}.${shorten(operator)}`;
  if (!isOperator(operator)) {
    throw fault(at, `is not an operator. The operator must be one of ${OPERATORS.join(', ')}`);
  }
  return { path: at, operator, operand };
}

function membersOf(json: Json, path: string): Members {
  if (json instanceof Map) return json as Members;
  throw fault(path, path === 'where' ? 'must be a JSON object' : 'must be an object');
}

type JsonType = 'string' | 'number' | 'boolean';

/** The JSON type of the field's values. A media value is compared by its URL. Columns are strings. */
function jsonTypeOf(field: CompiledField | undefined): JsonType {
  const type = field?.type.value.type;
  if (type === 'number' || type === 'integer') return 'number';
  return type === 'boolean' ? 'boolean' : 'string';
}

/** Returns the test as a filter with its values as text. Null means a missing value. */
function filterOf(name: string, { path, operator, operand }: Test, type: JsonType): Filter {
  const filter = { parameter: path, name };
  if (operand === null && (operator === 'eq' || operator === 'ne')) {
    return { ...filter, operator: 'exists', values: [String(operator === 'ne')] };
  }
  if (operator === 'in') {
    if (!Array.isArray(operand)) throw fault(path, 'must be a list');
    const list = operand as readonly Json[];
    return { ...filter, operator, values: list.map((value, index) => textOf(value, type, `${path}.${index}`)) };
  }
  return { ...filter, operator, values: [textOf(operand, operandType(operator, type), path)] };
}

function operandType(operator: Operator, type: JsonType): JsonType {
  if (operator === 'exists') return 'boolean';
  return operator === 'contains' || operator === 'starts_with' ? 'string' : type;
}

function textOf(value: Json, type: JsonType, path: string): string {
  if (typeof value !== type || typeof value === 'object') throw fault(path, `must be a ${type}`);
  const text = String(value);
  // An escape such as \u0000 is not visible to the check of the query string.
  const unstorable = faultOfText(text);
  if (unstorable !== undefined) throw fault(path, `contains ${unstorable}`);
  return text;
}

function fault(path: string, predicate: string): Problem {
  return Problem.parameter(path, `${path} ${predicate}.`);
}
