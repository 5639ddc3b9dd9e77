/** Valid values of a JSON Schema of the document. */
import fc from 'fast-check';
import { character } from './characters.mjs';
import { objectOf } from './json.mjs';

const MAX_ITEMS = 4;

/** Text that every field stores: without NUL and lone surrogates. */
export const plainText = (constraints = {}) => fc.string({ unit: character, ...constraints });

export const day = fc
  .date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

export const instant = fc
  .tuple(
    fc.date({ min: new Date('0001-01-02T00:00:00Z'), max: new Date('9999-12-30T00:00:00Z'), noInvalidDate: true }),
    fc.constantFrom('', '.5', '.123456789'),
    fc.constantFrom('Z', 'z', '+00:00', '+05:30', '-11:00'),
  )
  .map(([date, fraction, offset]) => date.toISOString().slice(0, 19) + fraction + offset);

const word = fc.stringMatching(/^[a-z][a-z0-9]{0,12}$/);

export const emailAddress = fc.tuple(word, word).map(([name, host]) => `${name}@${host}.example`);

export const telephone = fc.constantFrom('+44 (20) 7946-0018 ext. 12', '030/1234', '112');

export const webUrl = fc
  .tuple(fc.constantFrom('http', 'https'), word, fc.stringMatching(/^(\/[A-Za-z0-9._~%20-]{0,9}){0,3}$/))
  .map(([scheme, host, path]) => `${scheme}://${host}.example${path}`.replaceAll(/["<>\\\s]/g, '-'));

const FORMATS = {
  'date-time': instant,
  date: day,
  email: emailAddress,
  uri: webUrl,
  uuid: fc.uuid(),
};

/** Generates valid values. `known` maps the dotted path of a property to an arbitrary, for schemas that are not precise enough. */
export function valuesOf(document, schema, known = {}, path = '') {
  if (known[path]) return known[path];
  const resolved = document.resolve(schema) ?? {};
  const values = valuesWithoutNull(document, resolved, known, path);
  return isNullable(resolved)
    ? fc.oneof({ weight: 4, arbitrary: values }, { weight: 1, arbitrary: fc.constant(null) })
    : values;
}

function isNullable({ type, anyOf = [] }) {
  return [type].flat().includes('null') || anyOf.some((choice) => choice.type === 'null');
}

function valuesWithoutNull(document, schema, known, path) {
  if (schema.enum) return fc.constantFrom(...schema.enum.filter((value) => value !== null));
  if (schema.const !== undefined) return fc.constant(schema.const);
  const choices = (schema.oneOf ?? schema.anyOf)?.filter(({ type }) => type !== 'null');
  if (choices) return fc.oneof(...choices.map((choice) => valuesOf(document, choice, known, path)));
  switch ([schema.type].flat()[0]) {
    case 'string':
      return texts(schema);
    case 'integer':
      return integers(schema);
    case 'number':
      return fc.double({ min: schema.minimum ?? -1e9, max: schema.maximum ?? 1e9, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'array':
      return lists(document, schema, known, path);
    case 'object':
      return objects(document, schema, known, path);
    default:
      return schema.example === undefined ? fc.jsonValue({ maxDepth: 2 }) : fc.constant(schema.example);
  }
}

function texts({ pattern, format, minLength = 0, maxLength, example }) {
  if (FORMATS[format]) return FORMATS[format];
  if (pattern) {
    const longest = maxLength ?? 200;
    return fc.stringMatching(new RegExp(pattern)).filter((text) => text.length <= longest && text.length >= minLength);
  }
  const made = plainText({ minLength, maxLength: Math.min(maxLength ?? 60, 60) });
  return example === undefined ? made : fc.oneof(made, fc.constant(String(example)));
}

function integers({ minimum = -(2 ** 31), maximum = 2 ** 31 }) {
  const edges = fc.constantFrom(minimum, maximum);
  return fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: minimum, max: Math.min(maximum, 2 ** 31) }) },
    { weight: 1, arbitrary: edges },
  );
}

function lists(document, { items = {}, minItems = 0, maxItems = MAX_ITEMS, uniqueItems }, known, path) {
  const element = valuesOf(document, items, known, `${path}[]`);
  const lengths = { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, MAX_ITEMS)) };
  return uniqueItems ? fc.uniqueArray(element, { ...lengths, selector: JSON.stringify }) : fc.array(element, lengths);
}

function objects(document, { properties = {}, required = [], additionalProperties, example }, known, path) {
  const names = Object.keys(properties);
  if (names.length === 0) {
    const made = additionalProperties === false ? fc.constant({}) : fc.constant(example ?? {});
    return made;
  }
  const members = objectOf(
    names.map((name) => [name, valuesOf(document, properties[name], known, path ? `${path}.${name}` : name)]),
  );
  return fc.record(members, { requiredKeys: required });
}
