import fc from 'fast-check';
import type { FieldDefinition } from '../../src/fields/field-definition.js';

/** Random definitions and values for the tests of what a schema accepts. The values are valid about as often as not. */

const ID = 'ent_01j9zt5k8h0000000000000000';
const TEXTS = ['', 'a', 'ab', 'abc', 'abcdef', '😀😀', 'AB-12', 'a\nb', 'é', ' '];
const MEDIA = [
  { url: 'https://example.com/a.jpg', alt: 'A' },
  { url: '/media/a.png', alt: '' },
  { url: '//example.com', alt: '' },
  { url: 'ftp://example.com/a', alt: '' },
  { url: 'https://example.com/a b', alt: '' },
  { url: '/a', alt: null },
  { url: '/a' },
  { alt: 'A' },
  { url: '/a', alt: 'A', more: 1 },
  { url: '/a', alt: 'x'.repeat(1_001) },
];

const POOLS: Readonly<Record<string, readonly unknown[]>> = {
  text: TEXTS,
  rich_text: TEXTS,
  number: [0, -1, 1, 2.5, 3, 5, 1e300, '1'],
  integer: [0, 1, 2, 3, 5, 2 ** 53 - 1, 2 ** 53, -(2 ** 53), 1.5, 1e300],
  boolean: [true, false, 'true', 0],
  date: [
    '2024-02-29',
    '2023-02-29',
    '2000-02-29',
    '1900-02-29',
    '0000-02-29',
    '0001-01-01',
    '2024-04-31',
    '9999-12-31',
    '2024-1-1',
    '2024-01-01Z',
  ],
  datetime: [
    '2026-01-31T09:30:00Z',
    '2026-01-31t09:30z',
    '2026-01-31 09:30:00.123456789+0200',
    '2026-01-31',
    '2026-02-30T09:30:00Z',
    '2026-01-31T24:00:00Z',
    '2026-01-31T09:30:60Z',
    '2026-01-31T09:30:00',
    '2026-01-31T09:30:00.1234567890Z',
  ],
  email: [
    'ada@example.com',
    'ünï@exämple.com',
    '"a b"@example.com',
    'a@b',
    'a@b.c',
    'a..b@example.com',
    '@example.com',
    'a@-b.com',
    'a@b_c.com',
    'nobody',
  ],
  url: [
    'https://example.com/about',
    'HTTP://a.example/ä?q#x',
    'http://',
    'https:///a',
    'ftp://a.example',
    'https://a.example/<',
    'a.example',
    'http://a.example/ b',
  ],
  select: ['red', 'green', 'blue', '', 'RED'],
  json: [{}, [], 0, 'x', { a: [null] }, false],
  reference: [ID, 'ent_01j9zt5k8h000000000000000l', 'ct_01j9zt5k8h0000000000000000', ID.toUpperCase()],
  media: MEDIA,
};

const limit = fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined });
const flag = fc.option(fc.boolean(), { nil: undefined });
const patterns = fc.option(fc.constantFrom('^[a-z]+$', 'b', '.', '[A-Z]{2}-\\d', '^\\S*$'), { nil: undefined });

const OF_TYPE: Readonly<Record<string, Readonly<Record<string, fc.Arbitrary<unknown>>>>> = {
  text: { min: limit, max: limit, pattern: patterns },
  rich_text: { min: limit, max: limit },
  number: { min: limit, max: limit },
  integer: { min: limit, max: limit },
  email: { max: fc.option(fc.constant(20), { nil: undefined }), pattern: patterns },
  url: { min: limit, pattern: patterns },
  select: { options: fc.subarray(['red', 'green', 'blue'], { minLength: 1 }) },
  reference: { content_type: fc.constant('author') },
};

/** Values of a field without inner fields, also wrong ones. */
function single(type: string): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...(POOLS[type] ?? [])) },
    fc.constantFrom<unknown>(null, 1, 'x', true, [], {}),
  );
}

function leaf(name: string, isOuter: boolean): fc.Arbitrary<FieldDefinition> {
  return fc.constantFrom(...Object.keys(POOLS)).chain((type) => {
    const pool = POOLS[type] ?? [];
    const attributes = {
      required: flag,
      multiple: flag,
      ...(isOuter && { default: fc.option(fc.constantFrom(...pool.slice(0, 2)), { nil: undefined, freq: 5 }) }),
      ...OF_TYPE[type],
    };
    return fc.record(attributes).map((all) => cleaned({ name, type, ...all }));
  });
}

/** Without attributes that are undefined, and without a default that the checks of other attributes refuse too often. */
function cleaned(definition: object): FieldDefinition {
  const { multiple, default: value, ...rest } = definition as FieldDefinition;
  const given = value === undefined ? {} : { default: multiple ? [value] : value };
  return JSON.parse(JSON.stringify({ ...rest, multiple, ...given })) as FieldDefinition;
}

function definition(name: string, levels: number, isOuter: boolean): fc.Arbitrary<FieldDefinition> {
  const one = leaf(name, isOuter);
  if (levels === 0) return one;
  const inner = definitions(levels - 1, false);
  const group = fc
    .record({ fields: inner, required: flag, multiple: flag })
    .map((all) => cleaned({ name, type: 'group', ...all }));
  const blocks = fc.record({ hero: inner, quote: inner, required: flag }).map(({ hero, quote, required }) =>
    cleaned({
      name,
      type: 'blocks',
      required,
      blocks: [
        { name: 'hero', fields: hero },
        { name: 'quote', fields: quote },
      ],
    }),
  );
  return fc.oneof({ weight: 3, arbitrary: one }, group, blocks);
}

function definitions(levels: number, isOuter: boolean): fc.Arbitrary<FieldDefinition[]> {
  return fc
    .subarray(['one', 'two', 'toString'], { minLength: 1 })
    .chain((names) => fc.tuple(...names.map((name) => definition(name, levels, isOuter))));
}

export const definitionLists = definitions(2, true);

function valueOf(field: FieldDefinition): fc.Arbitrary<unknown> {
  const one =
    field.type === 'group'
      ? valuesOf(field.fields ?? [])
      : field.type === 'blocks'
        ? itemOf(field)
        : single(field.type);
  const isList = field.multiple === true || field.type === 'blocks';
  const lists = fc.oneof(
    { weight: 8, arbitrary: fc.array(one, { maxLength: 2 }) },
    one.map((value) => [...Array<unknown>(1_001)].map(() => value)),
  );
  return fc.oneof({ weight: 10, arbitrary: isList ? lists : one }, isList ? one : lists);
}

function itemOf({ blocks = [] }: FieldDefinition): fc.Arbitrary<unknown> {
  const items = blocks.map(({ name, fields }) =>
    valuesOf(fields).map((values) => (isObject(values) ? { block: name, ...values } : values)),
  );
  return fc.oneof(
    { weight: 10, arbitrary: fc.oneof(...items) },
    fc.constantFrom<unknown>({}, { block: null }, { block: 'none' }, null),
  );
}

/** Values of a record, a group or a block. */
export function valuesOf(fields: readonly FieldDefinition[]): fc.Arbitrary<unknown> {
  const values = fc.record(
    Object.fromEntries(fields.map((field) => [field.name, fc.option(valueOf(field), { freq: 8 })])),
    {
      requiredKeys: fields.filter(({ required }) => required).map(({ name }) => name),
    },
  );
  return fc.oneof(
    { weight: 20, arbitrary: values },
    { weight: 1, arbitrary: values.map((known) => ({ ...known, other: 1 })) },
    { weight: 1, arbitrary: fc.constantFrom<unknown>([], 'x', {}) },
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
