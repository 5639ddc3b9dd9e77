import { runAtOnce } from '../admission/sliced-work.js';
import fc from 'fast-check';
import { checkDefinitions } from './definitions/definitions.js';
import { FieldDefinition } from './field-definition.js';
import { matchDeferredPatterns } from './patterns/pattern-runner.js';
import { Schema } from './schema.js';
import { compareKeys } from './sort-key.js';

const id = 'ent_01j9zt5k8h0000000000000000';
const definitions: FieldDefinition[] = [
  { name: 'title', type: 'text', required: true, unique: true },
  { name: 'body', type: 'rich_text' },
  { name: 'price', type: 'number', min: 0 },
  { name: 'tags', type: 'text', multiple: true },
  { name: 'cover', type: 'media' },
  { name: 'kind', type: 'select', options: ['news', 'blog'], default: 'news' },
  { name: 'author', type: 'reference', content_type: 'authors' },
  { name: 'related', type: 'reference', content_type: 'articles', multiple: true, unique: true },
  { name: 'extra', type: 'json' },
  { name: 'toString', type: 'text' },
];
const schema = Schema.compile(definitions, 'content');
const parse = (json: string): unknown => JSON.parse(json);
const brief = (errors: { path: string; code: string }[]): string[] => errors.map(({ path, code }) => `${path} ${code}`);

it('a schema keeps valid definitions and finds fields by their own names only', async () => {
  expect(await checkDefinitions('tenant', definitions, 'content')).toEqual([]);
  expect(schema.definitions).toBe(definitions);
  expect(schema.field('price')?.sortable).toBe(true);
  expect(schema.field('__proto__')).toBeUndefined();
  expect(schema.field('valueOf')).toBeUndefined();
  expect(schema.field('toString')?.name).toBe('toString');
});

describe('a field whose type belongs to an extension that is turned off', () => {
  const fields = [
    { name: 'title', type: 'text' },
    { name: 'color', type: 'absent_type', required: true, unique: true, default: 'red' },
    { name: 'style', type: 'group', fields: [{ name: 'color', type: 'absent_type' }] },
  ];

  it('need not be supplied, gets no default, and cannot be set', () => {
    for (const kind of ['content', 'form'] as const) {
      const { color } = { color: Schema.compile([...fields.slice(0, 2)], kind) };
      const check = (values: object) => (kind === 'form' ? color.checkSubmission(values) : color.checkWhole(values));
      expect(check({ title: 'A' })).toEqual({ values: { title: 'A' }, errors: [] });
      expect(check({ color: 'blue' }).errors).toEqual([
        {
          path: 'fields.color',
          code: 'extension_off',
          message: 'color cannot be set or changed while the extension with the type absent_type is turned off.',
        },
      ]);
    }
    const { errors } = Schema.compile(fields, 'content').checkWhole({ style: { color: 'blue' } });
    expect(errors).toMatchObject([{ path: 'fields.style', code: 'extension_off' }]);
  });

  it('is neither indexed nor searched, and any stored value is valid', () => {
    const compiled = Schema.compile(fields, 'content');
    const values = { color: { any: 'JSON' }, style: { color: [1] } };
    expect(compiled.checkStored(values)).toEqual([]);
    expect([compiled.indexRows(values), compiled.uniques(values)]).toEqual([[], []]);
    expect(compiled.fields.map(({ isKept }) => isKept)).toEqual([false, true, true]);
  });
});

describe('checkWhole', () => {
  it('returns the supplied values, and defaults for the others', () => {
    const { values, errors } = schema.checkWhole({ title: 'A', price: 0, body: null, extra: { a: null } });
    expect(errors).toEqual([]);
    expect(values).toEqual({ title: 'A', price: 0, kind: 'news', extra: { a: null } });
  });

  it('replaces null by the default, as if no value was supplied', () => {
    expect(schema.checkWhole({ title: 'A', kind: null }).values['kind']).toBe('news');
    expect(brief(schema.checkWhole({ title: null }).errors)).toEqual(['fields.title required']);
  });

  it('lists every error', () => {
    const values = { nope: 1, price: -1, tags: ['a', 1], cover: { url: 'x' }, kind: 'shop', toString: 1 };
    expect(brief(schema.checkWhole(values).errors)).toEqual([
      'fields.nope unknown_property',
      'fields.title required',
      'fields.price min',
      'fields.tags.1 type',
      'fields.cover.url format',
      'fields.cover.alt required',
      'fields.kind options',
      'fields.toString type',
    ]);
  });

  it('describes each error in a sentence', () => {
    expect(schema.checkWhole({ title: 1, tags: [2] }).errors.map(({ message }) => message)).toEqual([
      'title must be a string.',
      'tags.0 must be a string.',
    ]);
  });

  it.each([undefined, null, [], 'x', 1])('refuses %j as the values', (values) => {
    expect(brief(schema.checkWhole(values).errors)).toEqual(['fields type']);
  });

  it('treats names of the prototype like other names', () => {
    const { values, errors } = schema.checkWhole(parse('{"title":"A","__proto__":{"price":1},"constructor":1}'));
    expect(brief(errors)).toEqual(['fields.__proto__ unknown_property', 'fields.constructor unknown_property']);
    expect(Object.keys(values)).toEqual(['title', 'kind']);
    expect(schema.checkWhole({ title: 'A' }).values).not.toHaveProperty(['own', 'toString']);
    expect(Object.hasOwn(schema.checkWhole({ title: 'A' }).values, 'toString')).toBe(false);
  });

  it('lists at most 1,000 errors and shortens long names', () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`x${i}`, 1]));
    expect(schema.checkWhole({ ...many, title: 'A' }).errors).toHaveLength(1_000);
    expect(JSON.stringify(schema.checkWhole({ ['y'.repeat(1e5)]: 1, title: 'A' }).errors).length).toBeLessThan(300);
  });

  it('defers slow patterns, and has nothing to settle if all patterns are fast', async () => {
    const quick = Schema.compile([{ name: 'a', type: 'text', multiple: true, pattern: '^[a-z]+$' }], 'content');
    expect(quick.checkWhole({ a: ['b', '1'] })).toEqual({
      values: {},
      errors: [expect.objectContaining({ code: 'pattern' })],
    });

    const pattern = '^[a-z]{1,1000}$';
    const slow = Schema.compile(
      [
        { name: 'a', type: 'text', pattern },
        { name: 'b', type: 'text', pattern },
      ],
      'content',
    );
    const result = slow.checkWhole({ a: 'ok', b: 'NO' });
    expect(result.errors).toEqual([]);
    if (result.deferred) await matchDeferredPatterns('tenant', result.deferred, result.values);
    expect(brief(result.errors)).toEqual(['fields.b pattern']);
    expect(result.values).toEqual({ a: 'ok' });
  });

  it('lists errors in the order of the fields and elements, including those of deferred patterns', async () => {
    const pattern = '^[a-z]{1,1000}$';
    const mixed = Schema.compile(
      [
        { name: 'a', type: 'text', multiple: true, pattern },
        { name: 'b', type: 'text', multiple: true, pattern: '^\\d$' },
        { name: 'c', type: 'text', pattern, max: 3 },
      ],
      'content',
    );
    const { errors, deferred } = mixed.checkWhole({ a: ['A', 1, 'a', 'B'], b: ['x', 1], c: 'WXYZ' });
    if (deferred) await matchDeferredPatterns('tenant', deferred);
    expect(brief(errors)).toEqual([
      'fields.a.0 pattern',
      'fields.a.1 type',
      'fields.a.3 pattern',
      'fields.b.0 pattern',
      'fields.b.1 type',
      'fields.c too_long',
      'fields.c pattern',
    ]);
  });

  it('does not block the event loop with patterns that take long in total', async () => {
    const pattern = '(?i)(\\pL|\\pN){800}!';
    const slow = Schema.compile([{ name: 'a', type: 'text', multiple: true, pattern }], 'content');
    let ticks = 0;
    const timer = setInterval(() => ticks++, 5);
    const { errors, deferred } = slow.checkWhole({ a: Array.from({ length: 1_000 }, (_, i) => `${i}ab`.repeat(200)) });
    if (deferred) await matchDeferredPatterns('tenant', deferred);
    clearInterval(timer);
    expect(errors[0]?.code).toBe('pattern');
    expect(errors.at(-1)?.code).toBe('too_long');
    expect(errors).toHaveLength(1_000);
    // Without the worker it would take hundreds of milliseconds without a tick.
    expect(ticks).toBeGreaterThan(5);
  });
});

describe('checkPatch', () => {
  it('checks only the values that are sent', () => {
    expect(schema.checkPatch({ price: 2 })).toEqual({ set: { price: 2 }, removed: [], errors: [] });
    expect(schema.checkPatch({})).toEqual({ set: {}, removed: [], errors: [] });
  });

  it('removes values with null, unless they are required', () => {
    const patch = schema.checkPatch({ price: null, kind: null, title: null });
    expect(patch.removed).toEqual(['price', 'kind']);
    expect(brief(patch.errors)).toEqual(['fields.title required']);
  });

  it('lists every error', () => {
    expect(brief(schema.checkPatch({ nope: null, price: 'x' }).errors)).toEqual([
      'fields.nope unknown_property',
      'fields.price type',
    ]);
    expect(brief(schema.checkPatch([]).errors)).toEqual(['fields type']);
  });
});

describe('checkStored', () => {
  it('does not match patterns, because stored values match them', () => {
    const stored = Schema.compile([{ name: 'a', type: 'text', pattern: '^\\d$', max: 3 }], 'content');
    expect(brief(stored.checkStored({ a: 'abcd' }))).toEqual(['fields.a too_long']);
  });

  it('checks all values without defaults, and ignores those of removed fields', () => {
    expect(schema.checkStored({ title: 'A', gone: 1 })).toEqual([]);
    expect(brief(schema.checkStored({ price: -1 }))).toEqual(['fields.title required', 'fields.price min']);
  });
});

describe('indexRows', () => {
  it('returns a row for each field with a value that can be sorted or filtered', () => {
    const rows = schema.indexRows({
      title: 'A',
      price: 1,
      tags: [],
      cover: { url: '/a', alt: '' },
      extra: {},
      gone: 1,
    });
    expect(rows.map(({ field }) => field)).toEqual(['title', 'price', 'cover']);
  });

  it('returns the least value of a list for sorting, and each distinct value for filtering', () => {
    const rows = schema.indexRows({ tags: ['b', 'a', 'b'] });
    const [b, a] = ['b', 'a'].map((tag) => schema.field('tags')?.readFilter(tag)?.key);
    expect(rows).toEqual([
      { field: 'tags', key: a, discriminator: '' },
      { field: 'tags[]', key: a, discriminator: '' },
      { field: 'tags[]', key: b, discriminator: '' },
    ]);
    expect(schema.field('tags')).toMatchObject({ sortField: 'tags', filterField: 'tags[]' });
    expect(schema.field('title')).toMatchObject({ sortField: 'title', filterField: 'title' });
  });

  it('returns a row that matches the filter of each value', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 8 }), (tags) => {
        const rows = schema.indexRows({ tags });
        const found = rows
          .filter(({ field }) => field === 'tags[]')
          .map(({ key, discriminator }) => ({ key, discriminator }));
        for (const tag of tags) {
          const { key, discriminator } = schema.field('tags')!.readFilter(tag)!;
          expect(found).toContainEqual({ key, discriminator });
        }
        expect(found).toHaveLength(new Set(tags).size);
        const keys = found.map(({ key }) => key);
        expect(keys).toEqual([...keys].sort(compareKeys));
        expect(rows.find(({ field }) => field === 'tags')?.key).toBe(keys[0]);
      }),
    );
  });
});

describe('searchLines', () => {
  const linesOf = (values: Record<string, unknown>) => runAtOnce(schema.searchLines(values));

  it('returns the text of every searched field, with the first text as the title', () => {
    const values = {
      title: 'Über',
      body: '<p>Caf&eacute;<br>Noir</p>',
      price: 7,
      tags: ['Eins', 'Zwei'],
      cover: { url: '/secret.jpg', alt: 'Eine Katze' },
      kind: 'news',
      author: id,
      extra: { a: 'hidden' },
      gone: 'gone',
    };
    expect(linesOf(values)).toEqual([
      [{ text: 'Über', role: 'title' }],
      [{ text: ' Café Noir ', role: 'body' }],
      [{ text: '7', role: 'body' }],
      [{ text: 'Eins', role: 'body' }],
      [{ text: 'Zwei', role: 'body' }],
      [{ text: 'Eine Katze', role: 'body' }],
      [{ text: 'news', role: 'body' }],
    ]);
    expect(linesOf({})).toEqual([]);
  });
});

describe('references and uniques', () => {
  const other = id.replace('h0', 'h1');
  const values = { title: 'A', author: id, related: [id, other, id] };

  it('list every reference with its path', () => {
    const found = schema.references(values).map(({ path, field, id }) => [path, field.name, field.contentTypes, id]);
    expect(found).toEqual([
      ['fields.author', 'author', ['authors'], id],
      ['fields.related.0', 'related', ['articles'], id],
      ['fields.related.1', 'related', ['articles'], other],
      ['fields.related.2', 'related', ['articles'], id],
    ]);
  });

  it('list every distinct value of unique fields', () => {
    expect(schema.uniques(values)).toEqual([
      { path: 'fields.title', name: 'title', field: 'title', key: '=A' },
      { path: 'fields.related.0', name: 'related', field: 'related', key: id },
      { path: 'fields.related.1', name: 'related', field: 'related', key: other },
    ]);
    expect(schema.uniques({ title: 'a'.repeat(100) })[0]?.key).toMatch(/^#[\w-]{43}$/);
  });
});

describe('checkSubmission', () => {
  const form = Schema.compile(
    [
      { name: 'email', type: 'email', required: true },
      { name: 'first-name', type: 'text' },
      { name: 'age', type: 'number', min: 18 },
      { name: 'terms', type: 'checkbox', required: true },
      { name: 'source', type: 'hidden', default: 'web' },
    ],
    'form',
  );

  it('returns the supplied strings, with defaults', () => {
    const { values, errors } = form.checkSubmission({
      email: 'ada@example.com',
      'first-name': '',
      age: null,
      terms: 'false',
    });
    expect(errors).toEqual([]);
    expect(values).toEqual({ email: 'ada@example.com', terms: 'false', source: 'web' });
  });

  it('requires values that are not blank in required fields', () => {
    for (const blank of ['  ', '\u200b', '\u00ad\ufeff', '\u3164']) {
      expect(brief(form.checkSubmission({ email: blank, source: 'x' }).errors)).toEqual([
        'fields.email required',
        'fields.terms required',
      ]);
    }
  });

  it('lists every error', () => {
    const values = { email: 'ada', age: '17', terms: true, other: 'x', 'first-name': ['a'] };
    expect(brief(form.checkSubmission(values).errors)).toEqual([
      'fields.other unknown_property',
      'fields.email format',
      'fields.first-name type',
      'fields.age min',
      'fields.terms type',
    ]);
    expect(brief(form.checkSubmission('x').errors)).toEqual(['fields type']);
  });

  it('a number in a form sorts as a number in the index', () => {
    const [nine, ten] = ['9', ' 10'].map((age) => form.indexRows({ age })[0]?.key ?? '');
    expect(compareKeys(nine ?? '', ten ?? '')).toBeLessThan(0);
  });
});
