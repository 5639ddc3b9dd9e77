/** Field definitions of content types and forms, and values for them. The document defines the types and attributes. */
import fc from 'fast-check';
import { objectOf } from './json.mjs';
import { day, emailAddress, instant, plainText, telephone, webUrl } from './schema-values.mjs';
import { PATTERNS } from './texts.mjs';

/** Names with a meaning in JavaScript or in the query language. */
export const TRICKY_NAMES = ['toString', 'valueOf', 'hasOwnProperty', 'toJSON', 'then', 'length', 'eq'];

/** Values of a form field with `multiple` are joined by commas, so they contain none. */
const plainOptions = ['red', 'green', "it's", '__proto__', 'ﬁ', '😀'];
const options = ['red', 'green', 'Grün, blau', "it's", '__proto__', 'ﬁ', '😀'];

/** The values of each type without constraints. A type that is missing here is not generated. */
const VALUES = {
  content: {
    text: plainText({ maxLength: 60 }),
    rich_text: fc
      .tuple(plainText({ maxLength: 30 }), fc.constantFrom('p', 'b', 'h1', '!--'))
      .map(([text, tag]) => `<${tag}>${text}</${tag}>`),
    media: fc.record({
      url: fc.oneof(webUrl, fc.constantFrom('/v1/media/a.png', '/{{unique}}')),
      alt: plainText({ maxLength: 40 }),
    }),
    number: fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer()),
    integer: fc.maxSafeInteger(),
    boolean: fc.boolean(),
    date: day,
    datetime: instant,
    email: emailAddress,
    url: webUrl,
    select: fc.constantFrom(...options),
    json: fc
      .jsonValue({ maxDepth: 3 })
      .filter((value) => value !== null && !/\\u0000|\\ud[89a-f]/.test(JSON.stringify(value))),
    reference: fc.constantFrom('{{entry.every.0}}', '{{entry.every.1}}'),
    // Their values follow from their definitions.
    group: true,
    blocks: true,
  },
  form: {
    text: plainText({ maxLength: 60 }),
    email: emailAddress,
    textarea: plainText({ maxLength: 200 }),
    number: fc.oneof(fc.integer().map(String), fc.constantFrom('-12.5', '1e3', '0', '+7', '.5')),
    tel: telephone,
    url: webUrl,
    date: day,
    select: fc.constantFrom(...options),
    checkbox: fc.constantFrom('true', 'false'),
    hidden: plainText({ maxLength: 60 }),
  },
};

/** The fields of each group, and the kinds of each list of blocks. */
const inner = [
  { name: 'caption', type: 'text' },
  { name: 'rank', type: 'integer' },
  { name: 'images', type: 'media', multiple: true },
];
const groupFields = [...inner, { name: 'rows', type: 'group', multiple: true, fields: inner }];
const blockKinds = [
  { name: 'quote', fields: inner },
  { name: 'table', label: 'A table', fields: [{ name: 'rows', type: 'group', multiple: true, fields: inner }] },
];

/** Attributes that a definition of the type requires. */
const NEEDED = {
  group: { fields: groupFields },
  blocks: { blocks: blockKinds },
  select: { options },
  reference: { content_type: '{{type.every}}' },
};

/** An item of a list of blocks. */
function blockItem({ name: block, fields }) {
  return valuesFor(fields, 'content').map((values) => ({ block, ...values }));
}

/** The types of a kind that are in the document and in VALUES. */
export function knownTypes(document, kind) {
  return Object.keys(definitionsByType(document, kind)).filter((type) => VALUES[kind][type]);
}

/** References to the schemas of definitions, by the type of the field. */
function definitionsByType(document, kind) {
  const name = kind === 'content' ? 'FieldDefinition' : 'FormFieldDefinition';
  return document.json.components.schemas[name].discriminator.mapping;
}

/** The attributes that a definition of the type can have. */
function attributesOf(document, kind, type) {
  const $ref = definitionsByType(document, kind)[type];
  return Object.keys(document.resolve({ $ref }).properties);
}

export function valuesOfField({ type, multiple, pattern, min, max, fields, blocks }, kind) {
  if (kind === 'form' && multiple) {
    return fc.array(fc.constantFrom(...plainOptions), { minLength: 1, maxLength: 4 }).map((list) => list.join(', '));
  }
  if (blocks) return fc.array(fc.oneof(...blocks.map(blockItem)), { maxLength: 4 });
  if (fields) return multiple ? fc.array(valuesFor(fields, kind), { maxLength: 3 }) : valuesFor(fields, kind);
  const isNumber = type === 'number' && (min !== undefined || max !== undefined);
  const limited = isNumber ? fc.double({ min, max, noNaN: true }) : pattern && fc.stringMatching(new RegExp(pattern));
  const one = limited || VALUES[kind][type];
  return multiple ? fc.array(one, { maxLength: 4 }) : one;
}

/** A list with one field of each type and, for content types, one with a list of each. `except` lists the types to leave out. */
export function oneOfEach(document, kind, except = []) {
  const types = knownTypes(document, kind).filter((type) => !except.includes(type));
  const single = types.map((type) => ({ name: `a_${type}`, type, ...NEEDED[type] }));
  if (kind === 'form') return single;
  return [
    ...single,
    ...types
      .filter((type) => type !== 'blocks')
      .map((type) => ({ name: `many_${type}`, type, multiple: true, ...NEEDED[type] })),
  ];
}

/** A valid list of definitions. */
export function definitions(document, kind) {
  // Files have no values in JSON.
  const types = [...knownTypes(document, kind), ...(kind === 'form' ? ['file'] : [])];
  const one = fc.constantFrom(...types).chain((type) => definition(document, kind, type));
  return fc
    .uniqueArray(fc.tuple(fieldName(kind), one), { minLength: 1, maxLength: 6, selector: ([name]) => name })
    .map((list) => list.map(([name, rest]) => ({ name, ...rest })));
}

function fieldName(kind) {
  const reserved = [
    'id',
    'content_type_id',
    'form_id',
    'status',
    'created_at',
    'updated_at',
    'constructor',
    'prototype',
  ];
  const names = fc.stringMatching(
    kind === 'content' ? /^[A-Za-z][A-Za-z0-9_]{0,63}$/ : /^[A-Za-z][A-Za-z0-9_-]{0,63}$/,
  );
  const tricky = fc.constantFrom(...TRICKY_NAMES, 'a'.repeat(64));
  return fc
    .oneof({ weight: 3, arbitrary: names }, { weight: 1, arbitrary: tricky })
    .filter((name) => !reserved.includes(name));
}

function definition(document, kind, type) {
  const applicable = attributesOf(document, kind, type);
  const isNumber = type === 'number' || type === 'integer';
  const bound = isNumber ? fc.integer({ min: -1_000, max: 1_000 }) : fc.nat({ max: 100 });
  const attributes = {
    required: fc.boolean(),
    label: plainText({ maxLength: 60 }),
    help: plainText({ maxLength: 60 }),
    placeholder: plainText({ maxLength: 60 }),
    group: plainText({ maxLength: 60 }),
    min: bound,
    max: bound,
    unique: fc.boolean(),
    multiple: fc.boolean(),
    pattern: fc.constantFrom('^[A-Z]{2}-[0-9]+$', 'a', '\\p{L}', '(?i)x|y', ''),
    max_bytes: fc.integer({ min: 1, max: 4 * 2 ** 20 }),
    accept: fc.constantFrom(['image/*'], ['application/pdf', 'TEXT/*'], ['*/*']),
  };
  const chosen = Object.entries(attributes).filter(
    ([name]) => ['required', 'label', 'help'].includes(name) || applicable.includes(name),
  );
  return fc.record(objectOf(chosen), { requiredKeys: [] }).chain((rest) => {
    if (rest.min > rest.max) [rest.min, rest.max] = [rest.max, rest.min];
    const whole = { type, ...NEEDED[type], ...rest };
    if (type === 'select' && kind === 'form' && rest.multiple) whole.options = plainOptions;
    const isFree = rest.min === undefined && rest.max === undefined && rest.pattern === undefined;
    // The default of a reference must be an existing entry of the right type, which is not known here.
    if (!isFree || ['reference', 'group', 'blocks', 'file'].includes(type)) return fc.constant(whole);
    return fc.option(valuesOfField(whole, kind), { nil: undefined }).map((value) => withDefault(whole, value));
  });
}

/** An empty list and a blank text are not values of a required field. */
function withDefault(definition, value) {
  const isBlank = Array.isArray(value) ? value.length === 0 : typeof value === 'string' && value.trim() === '';
  return definition.required && isBlank ? definition : { ...definition, default: value };
}

/** A definition with any pattern, for nearly valid requests. */
export const patternDefinition = (kind) =>
  fc
    .tuple(fc.constantFrom(...PATTERNS), fc.constantFrom(...PATTERNS))
    .map((patterns) =>
      patterns.map((pattern, index) => ({ name: `p${index}`, type: kind === 'form' ? 'textarea' : 'text', pattern })),
    );

/** Values for a list of definitions, without nulls: all required ones, and some of the others. */
export function valuesFor(fields, kind) {
  const members = objectOf(fields.map((field) => [field.name, valueOrNonBlank(field, kind)]));
  const requiredKeys = fields.filter(({ required }) => required).map(({ name }) => name);
  return fc.record(members, { requiredKeys });
}

/** A required form field must not be blank, and an empty list counts as missing. */
function valueOrNonBlank(field, kind) {
  if (field.unique) return fc.constant('{{unique}}');
  const values = valuesOfField(field, kind);
  if (!field.required) return values;
  return values.map((value) => (typeof value === 'string' && value.trim() === '' ? 'x' : value));
}
