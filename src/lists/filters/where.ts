import { Problem } from '../../errors/problem.js';
import { countCodePoints, shorten } from '../../fields/formats/text.js';
import type { Query } from '../../http/query.js';
import { faultOfText } from '../../http/bodies/storable-values.js';
import { type Json, readJson, UnreadableJsonError } from '../../json/read-json.js';
import { allOf, anyOf, type Condition, constant, negate } from '../conditions/condition.js';
import type { Filter } from './filters.js';
import { isOperator, meaningOf, type Operator, OPERATOR_NAMES } from './operators.js';
import { assertFilterable, type FilterNames, type Named, namedCondition } from './resolve-filter.js';

/** Maximum levels of `and`, `or` and `not`. */
export const MAX_WHERE_LEVELS = 5;
/** Maximum conditions on fields, together with those of `filter`. */
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

/** Looks up the names and reads the values. Throws a 400 (`unknown_field` or `invalid_parameter`). */
export function resolveWhere(where: Where, names: FilterNames): Condition {
  switch (where.kind) {
    case 'and':
      return allOf(where.parts.map((part) => resolveWhere(part, names)));
    case 'or':
      return anyOf(where.parts.map((part) => resolveWhere(part, names)));
    case 'not':
      return negate(resolveWhere(where.part, names));
    case 'field': {
      const { path, name, tests } = where;
      names.condition(path, name, (named) => {
        if ('field' in named) assertFilterable(named.field, path, names);
        return constant(true);
      });
      return allOf(tests.map((test) => resolveTest(name, test, names)));
    }
  }
}

/** A negation (`ne`, or `exists` with false) is the opposite of the whole positive condition, as in `resolveFilter`. */
function resolveTest(name: string, test: Test, names: FilterNames): Condition {
  const { opposite, operand } = meaningOf(test.operator);
  const isAbsence = operand === 'boolean' && test.operand === false;
  const positive = { ...test, operator: opposite ?? test.operator, operand: isAbsence ? true : test.operand };
  const condition = names.condition(test.path, name, (named) =>
    namedCondition(named, filterOf(name, positive, jsonTypeOf(named)), names),
  );
  return isAbsence || opposite ? negate(condition) : condition;
}

/** The names of its conditions. */
export function namesIn(where: Where): string[] {
  switch (where.kind) {
    case 'field':
      return [where.name];
    case 'not':
      return namesIn(where.part);
    case 'and':
    case 'or':
      return where.parts.flatMap(namesIn);
  }
}

/** The number of its conditions. */
export function countConditions(where: Where): number {
  switch (where.kind) {
    case 'field':
      return where.tests.length;
    case 'not':
      return countConditions(where.part);
    case 'and':
    case 'or':
      return where.parts.reduce((sum, part) => sum + countConditions(part), 0);
  }
}

function parse(text: string): Json {
  try {
    return readJson(text, MAX_JSON_LEVELS);
  } catch (error) {
    if (!(error instanceof UnreadableJsonError)) throw error;
    const position = countCodePoints(text.slice(0, error.index)) + 1;
    throw fault('where', `cannot be read as JSON: it ${error.reason} at position ${position}`);
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
      if (level === MAX_WHERE_LEVELS)
        throw fault(at, `is more than ${MAX_WHERE_LEVELS} levels of and, or and not deep`);
      if (name === 'not') return { kind: 'not', part: this.object(value, at, level + 1) };
      if (!Array.isArray(value)) throw fault(at, 'must be a list of objects');
      const list = value as readonly Json[];
      return { kind: name, parts: list.map((part, index) => this.object(part, `${at}.${index}`, level + 1)) };
    });
    return { kind: 'and', parts };
  }

  private field(name: string, value: Json, path: string): Where {
    if (Array.isArray(value)) throw fault(path, 'must not be a list: use in, or contains');
    const isObject = value instanceof Map;
    const tests = isObject
      ? [...(value as Members)].map(([operator, operand]) => test(operator, operand, `${path}.${shorten(operator)}`))
      : [test('eq', value, path)];
    this.conditions += tests.length;
    if (this.conditions > MAX_CONDITIONS) throw fault('where', `must have at most ${MAX_CONDITIONS} conditions`);
    return { kind: 'field', path, name, tests };
  }
}

function test(operator: string, operand: Json, path: string): Test {
  if (!isOperator(operator)) {
    throw fault(path, `is not an operator. The operator must be one of ${OPERATOR_NAMES.join(', ')}`);
  }
  // Null means a missing value.
  if (operand === null && operator === 'eq') return { path, operator: 'exists', operand: false };
  if (operand === null && operator === 'ne') return { path, operator: 'exists', operand: true };
  return { path, operator, operand };
}

function membersOf(json: Json, path: string): Members {
  if (json instanceof Map) return json as Members;
  throw fault(path, path === 'where' ? 'must be a JSON object' : 'must be an object');
}

type JsonType = 'string' | 'number' | 'boolean';

/** The JSON type of the field's values. A media value is compared by its URL. Columns are strings. */
function jsonTypeOf(named: Named): JsonType {
  const type = 'field' in named ? named.field.type.value.type : 'string';
  if (type === 'number' || type === 'integer') return 'number';
  return type === 'boolean' ? 'boolean' : 'string';
}

/** Returns the test as a filter with its values as text. */
function filterOf(name: string, { path, operator, operand }: Test, type: JsonType): Filter {
  const filter = { parameter: path, name, operator };
  const kind = meaningOf(operator).operand ?? type;
  if (kind !== 'list') return { ...filter, values: [textOf(operand, kind, path)] };
  if (!Array.isArray(operand)) throw fault(path, 'must be a list');
  const list = operand as readonly Json[];
  return { ...filter, values: list.map((value, index) => textOf(value, type, `${path}.${index}`)) };
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
