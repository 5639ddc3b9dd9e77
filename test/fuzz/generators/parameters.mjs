/** Query parameters. A query is a list of [name, value] pairs, which are percent-encoded, and of strings, which are sent unchanged. */
import fc from 'fast-check';
import { CURSOR_CHANGES } from '../cursors.mjs';
import { hostileText, objectOf } from './json.mjs';
import { day, emailAddress, instant, plainText, telephone, valuesOf, webUrl } from './schema-values.mjs';
import { HOSTILE_TEXTS, LENGTHS, SEARCHES } from './texts.mjs';

const SYSTEM_FIELDS = {
  content: { id: 'id', status: 'status', created_at: 'instant', updated_at: 'instant' },
  form: { id: 'submission', created_at: 'instant' },
};
const TEXTUAL = ['text', 'rich_text', 'email', 'url', 'select', 'media', 'textarea', 'tel', 'hidden'];
const NOT_SORTABLE = ['json', 'media', 'group', 'blocks'];
const NOT_FILTERABLE = ['json', 'group', 'blocks'];
const OPERATORS = ['eq', 'ne', 'in', 'lt', 'lte', 'gt', 'gte', 'contains', 'starts_with', 'exists'];

/** Text that is valid in a query and in a filter. */
const queryText = fc.oneof(
  plainText({ maxLength: 30 }),
  fc.constantFrom(...HOSTILE_TEXTS.filter((text) => text.length < 200 && text.isWellFormed() && !text.includes('\0'))),
);

/** Valid queries of an operation; `listed` is {kind, fields} of the listed content type or form. */
export function validQuery(document, operation, listed) {
  const arbitraries = operation.inQuery.flatMap((parameter) => {
    const values = valuesOfParameter(document, parameter, listed);
    return values ? [values] : [];
  });
  return fc
    .tuple(...arbitraries.map((values) => fc.option(values, { nil: [] })))
    .map((pairs) => exclusive(pairs.flat()));
}

/** Lists of pairs for one parameter; undefined for an unknown parameter. */
function valuesOfParameter(document, { name, schema, style }, listed) {
  const one = (values) => values.map((value) => [[name, String(value)]]);
  if (name === 'filter[mime_type]')
    return one(fc.constantFrom('image/*', 'image/png', 'Text/Plain', 'application/x.y-z+json'));
  if (name === 'role') return one(fc.constantFrom('owner', 'EDITOR', '{{role}}'));
  if (name === 'cursor') return one(fc.constantFrom('', '{{next}}'));
  if (name === 'search') return one(searches());
  if (name === 'page')
    return one(fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constantFrom(1_000_000, 2 ** 31, 2 ** 53 - 1)));
  if (name === 'sort' && listed) return one(sorts(listed));
  if (style === 'deepObject') return listed ? filters(listed) : undefined;
  if (name === 'where') return listed ? one(wheres(listed)) : undefined;
  if (name === 'include') return one(namesOf(listed, ({ type }) => type === 'reference'));
  if (name === 'types') return one(namesOfTypes(document, schema));
  if (['locale', 'translated', 'missing', 'behind'].includes(name)) return one(fc.constant('en'));
  if (name === 'since') return one(fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-01T00:00:00.123+02:00'));
  if (name === 'select') return one(namesOf(listed, () => true));
  if (schema.type === 'object') return undefined;
  return one(valuesOf(document, schema));
}

/** Some values of a list, separated by commas. */
function namesOfTypes(document, { items }) {
  const names = document.resolve(items).enum;
  return fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 4 }).map((chosen) => chosen.join());
}

/** Some names of the fields, separated by commas. */
function namesOf(listed, isPossible) {
  const names = (listed?.fields ?? []).filter(isPossible).map(({ name }) => name);
  return fc.subarray(names, { maxLength: Math.min(10, names.length) }).map((chosen) => chosen.join());
}

function searches() {
  const known = SEARCHES.filter((text) => text.length <= 512);
  return fc.oneof(
    fc.constantFrom(...known),
    queryText.filter((text) => text.length <= 512),
  );
}

/** The fields, and those of single groups under dotted names. */
function withGroups(fields) {
  return fields.flatMap((field) => {
    if (field.type !== 'group' || field.multiple) return [field];
    return [field, ...withGroups(field.fields).map((inner) => ({ ...inner, name: `${field.name}.${inner.name}` }))];
  });
}

function sorts({ kind, fields }) {
  const names = [
    ...withGroups(fields)
      .filter(({ type }) => !NOT_SORTABLE.includes(type))
      .map(({ name }) => name),
    ...Object.keys(SYSTEM_FIELDS[kind]),
  ];
  const sorted = fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: kind === 'form' ? 1 : 3 });
  return fc
    .tuple(sorted, fc.nat(7))
    .map(([chosen, signs]) => chosen.map((name, index) => ((signs >> index) & 1 ? `-${name}` : name)).join());
}

function filters({ kind, fields }) {
  const types = [
    ...withGroups(fields)
      .filter(({ type }) => !NOT_FILTERABLE.includes(type))
      .map(({ name, type, options }) => [name, type, options]),
    ...Object.entries(SYSTEM_FIELDS[kind]),
  ];
  const condition = fc.constantFrom(...types).chain(([name, type, options]) =>
    fc
      .constantFrom(undefined, ...OPERATORS)
      .filter((operator) => TEXTUAL.includes(type) || !['contains', 'starts_with'].includes(operator))
      .chain((operator) =>
        operand({ type, options }, operator).map((value) => [
          `filter[${name}]${operator ? `[${operator}]` : ''}`,
          value,
        ]),
      ),
  );
  return fc.uniqueArray(condition, { minLength: 1, maxLength: 4, selector: ([name]) => name });
}

/** Conditions in JSON: those of `filters`, with values of the field's type, within and, or and not. */
function wheres(listed) {
  const types = Object.fromEntries(withGroups(listed.fields).map(({ name, type }) => [name, type]));
  const conditions = filters(listed).map((list) =>
    list
      .map(([parameter, text]) => [...parameter.matchAll(/\[([^[\]]*)\]/g)].map(([, part]) => part).concat(text))
      .filter(([name]) => !['and', 'or', 'not'].includes(name))
      .map((parts) => conditionOf(parts, types)),
  );
  const combined = fc.tuple(conditions, conditions, fc.constantFrom('and', 'or')).map(([some, others, operator]) => ({
    [operator]: [...some, { not: { or: others } }],
  }));
  return fc
    .oneof(
      conditions.map((list) => Object.assign({}, ...list)),
      combined,
    )
    .map((where) => JSON.stringify(where));
}

function conditionOf([name, ...rest], types) {
  const text = rest.at(-1);
  const operator = rest.length > 1 ? rest[0] : 'eq';
  const isTyped = ['number', 'integer', 'boolean'].includes(types[name]);
  // Number reads the few notations of numbers that JSON does not have.
  const valueOf = (one) => (isTyped ? (types[name] === 'boolean' ? one === 'true' : Number(one)) : one);
  if (operator === 'exists') return { [name]: { exists: text === 'true' } };
  return { [name]: { [operator]: operator === 'in' ? text.split(',').map(valueOf) : valueOf(text) } };
}

function operand({ type, options }, operator) {
  if (operator === 'exists') return fc.constantFrom('true', 'false');
  const possible = ['eq', 'ne', 'in', undefined].includes(operator) ? possibleValues(type, options) : undefined;
  if (operator !== 'in') return possible ?? operands(type);
  // A comma separates the values.
  const values =
    possible?.filter((value) => !value.includes(',')) ??
    operands(type).map((value) => (TEXTUAL.includes(type) ? value.replaceAll(',', '') : value));
  return fc.array(values, { minLength: 1, maxLength: 5 }).map((list) => list.join());
}

/** Values for the types that refuse to be equal to others. */
function possibleValues(type, options) {
  if (type === 'select') return fc.constantFrom(...options);
  if (type === 'email') return emailAddress;
  if (type === 'tel') return telephone;
  return type === 'url' || type === 'media' ? webUrl : undefined;
}

function operands(type) {
  switch (type) {
    case 'number':
      return fc.oneof(
        fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
        fc.constantFrom('-0', '1e308', '.5', '5.'),
      );
    case 'integer':
      return fc.maxSafeInteger().map(String);
    case 'boolean':
    case 'checkbox':
      return fc.constantFrom('true', 'false');
    case 'date':
      return day;
    case 'datetime':
      return instant;
    case 'instant':
      return fc.oneof(day, instant);
    case 'status':
      return fc.constantFrom('draft', 'published');
    case 'id':
    case 'reference':
      return fc.constantFrom('{{entry.every.0}}', '{{random.ent}}');
    case 'submission':
      return fc.constantFrom('{{submission.every}}', '{{random.sub}}');
    default:
      return queryText;
  }
}

/** Only a search can have them. */
const OF_SEARCH = ['highlight', 'referenced', 'fuzzy'];

/** A query has either a cursor or a page. */
function exclusive(pairs) {
  const has = (wanted) => pairs.some(([name]) => name === wanted);
  const isAlone = {
    page: !has('cursor'),
    since: !has('cursor'),
    'filter[type]': !has('types'),
    fallback: has('locale'),
    mine: !has('review'),
  };
  return pairs.filter(([name]) => isAlone[name] ?? (!OF_SEARCH.includes(name) || has('search')));
}

const raw = fc.constantFrom(
  '%',
  '%zz=1',
  '%00=%00',
  'page=%',
  'page=%ff',
  'search=%ed%a0%80',
  'search=%c0%af',
  '&&&',
  '=',
  '=1',
  '?',
  '#',
  'page',
  'page=1;per_page=2',
  'a%5Bb%5D=1',
  'filter%5Btitle%5D=1',
  '__proto__=1',
  '__proto__[a]=1',
  'constructor.prototype.a=1',
  'search=a+b%2Bc',
  'sort=%2Dcreated_at',
  `x=${'y'.repeat(9_000)}`,
  `x=${'y'.repeat(20_000)}`,
  Array.from({ length: 200 }, (_, index) => `p${index}=1`).join('&'),
  Array.from({ length: 200 }, () => 'page=1').join('&'),
  Array.from({ length: 50 }, (_, index) => `filter[f${index}]=1`).join('&'),
);

const FILTER_SHAPES = [
  'filter',
  'filter[]',
  'filter[][]',
  'filter[a_text',
  'filter]a_text[',
  'filter[a_text]]',
  'filter[[a_text]]',
  'filter[a_text][]',
  'filter[a_text][nope]',
  'filter[a_text][eq][eq]',
  'filter[a_text][__proto__]',
  'filter[__proto__]',
  'filter[constructor]',
  'filter[a_text][constructor]',
  'filter[a.b]',
  'filter.a_text',
  'filter[0]',
  "filter[a_text') --]",
  'filter[a_json]',
  'filter[a_group]',
  'filter[a_group.caption]',
  'filter[a_group.rows.caption]',
  'filter[a_blocks.rank]',
  'filter[many_text]',
  'filter[id]',
  'filter[status]',
  'filter[created_at][lt]',
  'filter[created_at][contains]',
  'filter[nope]',
  'filter[a_number][contains]',
  'filter[a_text][in]',
  'where',
];

/** Makes one change to a query. */
export function mutatedQuery(operation, query) {
  const names = [
    ...operation.inQuery.map(({ name }) => name),
    ...FILTER_SHAPES,
    'sort',
    'fields',
    'q',
    'page',
    '__proto__',
    'toString',
  ];
  const name = fc.constantFrom(...names);
  const add = (pairs) => [...query, ...pairs];
  return fc.oneof(
    { weight: 4, arbitrary: fc.tuple(name, parameterText).map(([one, value]) => add([[one, value]])) },
    {
      weight: 2,
      arbitrary: parameterText.map((value) => query.map((pair) => (Array.isArray(pair) ? [pair[0], value] : pair))),
    },
    { weight: 1, arbitrary: fc.constant([...query, ...query]) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(name, fc.constantFrom('[]', '[0]', '[a]', '[a][b]', '.a'), parameterText)
        .map(([one, shape, value]) => add([[one + shape, value]])),
    },
    { weight: 2, arbitrary: raw.map((text) => add([text])) },
    {
      weight: 1,
      arbitrary: alteredCursor.map((value) => [...query.filter((pair) => pair[0] !== 'page'), ['cursor', value]]),
    },
  );
}

const parameterText = fc.oneof(
  { weight: 5, arbitrary: hostileText.map((text) => text.slice(0, 3_000)) },
  {
    weight: 2,
    arbitrary: fc.constantFrom('0', '-1', '1', '100', '101', '2147483648', '9007199254740992', '1.5', '1e2', ' 1', '٣'),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'a_text,a_text',
      '-',
      '--a_text',
      'a_text,',
      ',',
      'a_json',
      '-a_media',
      'a_text,a_number,a_date,a_url',
      'id,status',
      'created_at desc',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...LENGTHS.filter((length) => length < 9_000)).map((length) => 'x'.repeat(length)),
  },
  { weight: 1, arbitrary: fc.constantFrom(...SEARCHES) },
  { weight: 1, arbitrary: fc.nat(150).map((count) => Array.from({ length: count }, (_, index) => index).join()) },
);

/** Cursors that are altered, made up, or from another list. */
const alteredCursor = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...CURSOR_CHANGES).map((change) => `{{next.${change}}}`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'W10',
      'bnVsbA',
      'e30',
      'WyJhIl0',
      Buffer.from(JSON.stringify(['x'.repeat(12), null])).toString('base64url'),
      'A'.repeat(8_193),
    ),
  },
  { weight: 1, arbitrary: hostileText.map((text) => text.slice(0, 2_000)) },
);

/** Every header that an operation documents, with a valid value. */
export function validHeaders(operation) {
  const values = {
    'If-Match': fc.constantFrom('*', '{{etag}}'),
    'If-None-Match': fc.constantFrom('*', '{{etag}}', '"nothing"'),
    'Idempotency-Key': fc.constantFrom('{{unique}}', '"{{unique}}"', `{{unique}}${'~'.repeat(200)}`),
    Range: fc.constantFrom('bytes=0-9', 'bytes=-5', 'bytes=3-', 'bytes=0-100000'),
  };
  const known = operation.inHeader.filter(({ name }) => values[name]);
  return fc
    .record(objectOf(known.map(({ name }) => [name, values[name]])), { requiredKeys: [] })
    .map((headers) => Object.entries(headers));
}
