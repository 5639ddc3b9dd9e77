import fc from 'fast-check';
import { checkDefinitions } from './definitions.js';
import { FieldKind } from '../field-definition.js';

const faults = async (definitions: unknown, kind: FieldKind = 'content'): Promise<string[]> => {
  const errors = await checkDefinitions('tenant', definitions, kind);
  return errors.map(({ path, code }) => `${path} ${code}`);
};

/** The errors of one definition, with paths relative to it. */
const of = async (definition: object, kind?: FieldKind): Promise<string[]> => {
  const found = await faults([{ name: 'a', type: 'text', ...definition }], kind);
  return found.map((fault) => fault.replace('fields.0.', ''));
};

describe('checkDefinitions', () => {
  it('accepts the documented examples', async () => {
    const list = [
      { name: 'title', type: 'text', required: true },
      { name: 'body', type: 'rich_text' },
      { name: 'cover', type: 'media', required: false },
    ];
    expect(await faults(list)).toEqual([]);
    expect(await faults([{ name: 'message', type: 'textarea' }], 'form')).toEqual([]);
  });

  it.each([undefined, null, {}, 'fields', 1])('refuses %j as the list', async (value) => {
    expect(await faults(value)).toEqual(['fields type']);
  });

  it('requires 1 to 100 definitions', async () => {
    const many = Array.from({ length: 101 }, (_, i) => ({ name: `a${i}`, type: 'text' }));
    expect(await faults([])).toEqual(['fields length']);
    expect(await faults(many)).toEqual(['fields length']);
    expect(await faults(many.slice(1))).toEqual([]);
  });

  it('checks the attributes of files, which have no default', async () => {
    const file = (rest: object) => of({ type: 'file', ...rest }, 'form');
    expect(await file({ multiple: true, max_bytes: 1, accept: ['image/*', 'application/pdf', '*/*'] })).toEqual([]);
    expect(await file({ max_bytes: 0 })).toEqual(['max_bytes format']);
    expect(await file({ max_bytes: 1.5 })).toEqual(['max_bytes format']);
    expect(await file({ max_bytes: '1' })).toEqual(['max_bytes type']);
    expect(await file({ accept: 'image/*' })).toEqual(['accept type']);
    expect(await file({ accept: [] })).toEqual(['accept length']);
    expect(await file({ accept: ['.pdf', 'image/', '*/png', 'a b/c', 1, 'a/b', 'a/b'] })).toEqual([
      'accept.0 format',
      'accept.1 format',
      'accept.2 format',
      'accept.3 format',
      'accept.4 type',
      'accept.6 duplicate',
    ]);
    expect(await file({ default: 'a.pdf' })).toEqual(['default not_applicable']);
    expect(await file({ min: 1, options: ['a'] })).toEqual(['min not_applicable', 'options not_applicable']);
    expect(await of({ max_bytes: 1, accept: ['a/b'] }, 'form')).toEqual([
      'max_bytes not_applicable',
      'accept not_applicable',
    ]);
    expect(await of({ type: 'file' })).toEqual(['type unsupported']);
  });

  it('requires objects as definitions', async () =>
    expect(await faults([null, [], 'x'])).toEqual(['fields.0 type', 'fields.1 type', 'fields.2 type']));

  it('requires a name and a known type', async () => {
    expect(await faults([{}])).toEqual(['fields.0.name required', 'fields.0.type required']);
    expect(await of({ name: 1, type: null })).toEqual(['name type', 'type type']);
    expect(await of({ type: 'string' })).toEqual(['type unsupported']);
    expect(await of({ type: 'constructor' })).toEqual(['type unsupported']);
    expect(await of({ type: 'textarea' })).toEqual(['type unsupported']);
    expect(await of({ type: 'rich_text' }, 'form')).toEqual(['type unsupported']);
  });

  it.each(['a', 'A1_', 'toString', 'hasOwnProperty', `a${'b'.repeat(63)}`])('accepts the name %s', async (name) => {
    expect(await of({ name })).toEqual([]);
  });

  it.each(['', '1a', '_a', 'a b', 'ä', 'a-b', '__proto__', `a${'b'.repeat(64)}`, 'a\n'])(
    'refuses the name %j',
    async (name) => {
      expect(await of({ name })).toEqual(['name format']);
    },
  );

  it.each(['id', 'content_type_id', 'status', 'created_at', 'updated_at', 'constructor', 'prototype'])(
    'reserves the name %s',
    async (name) => expect(await of({ name })).toEqual(['name reserved']),
  );

  it('allows and reserves other names in forms', async () => {
    expect(await of({ name: 'a-b' }, 'form')).toEqual([]);
    expect(await of({ name: 'status' }, 'form')).toEqual([]);
    expect(await of({ name: 'form_id' }, 'form')).toEqual(['name reserved']);
  });

  it('requires distinct names', async () => {
    const list = [
      { name: 'a', type: 'text' },
      { name: 'A', type: 'text' },
      { name: 'a', type: 'number' },
    ];
    expect(await faults(list)).toEqual(['fields.2.name duplicate']);
  });

  it('refuses unknown attributes', async () => {
    expect(await of({ maximum: 1 })).toEqual(['maximum unknown_property']);
    expect(await faults(JSON.parse('[{"__proto__":{},"constructor":1,"name":"a","type":"text"}]'))).toEqual([
      'fields.0.__proto__ unknown_property',
      'fields.0.constructor unknown_property',
    ]);
  });

  it('shortens a long name in its error', async () => {
    const [error] = await checkDefinitions(
      'tenant',
      [{ name: 'a', type: 'text', ['x'.repeat(100_000)]: 1 }],
      'content',
    );
    expect(JSON.stringify(error).length).toBeLessThan(300);
  });

  it.each([
    [{ type: 'boolean', min: 1 }, ['min not_applicable']],
    [{ type: 'number', pattern: 'x' }, ['pattern not_applicable']],
    [{ type: 'json', unique: true }, ['unique not_applicable']],
    [{ type: 'media', unique: true, multiple: true }, ['unique not_applicable']],
    [{ options: ['a'] }, ['options not_applicable']],
    [{ content_type: 'a' }, ['content_type not_applicable']],
  ])('refuses constraints that do not apply: %j', async (definition, expected) =>
    expect(await of(definition)).toEqual(expected),
  );

  it('refuses placeholder and group in forms, and group inside other fields', async () => {
    const described = { label: 'L', help: 'H', placeholder: 'P', group: 'G' };
    expect(await of(described)).toEqual([]);
    expect(await of(described, 'form')).toEqual(['placeholder unknown_property', 'group unknown_property']);
    const inner = { name: 'b', type: 'text', ...described };
    expect(await of({ type: 'group', fields: [inner] })).toEqual(['fields.0.group not_applicable']);
  });

  it('refuses multiple and unique in forms', async () => {
    expect(await of({ multiple: true, unique: true }, 'form')).toEqual([
      'multiple not_applicable',
      'unique not_applicable',
    ]);
  });

  it.each([
    [{ required: 'yes', unique: 1, multiple: null }, ['required type', 'unique type', 'multiple type']],
    [{ label: 1, help: null }, ['label type', 'help type']],
    [{ label: 'a'.repeat(256), help: 'a'.repeat(1_001) }, ['label too_long', 'help too_long']],
    [{ placeholder: 1, group: ['a'] }, ['placeholder type', 'group type']],
    [{ placeholder: 'a'.repeat(256), group: 'a'.repeat(256) }, ['placeholder too_long', 'group too_long']],
    [{ min: '1', max: null }, ['min type', 'max type']],
    [{ type: 'number', min: Infinity }, ['min type']],
    [{ type: 'number', min: -1.5, max: 1 }, []],
    [{ min: -1, max: 1.5 }, ['min format', 'max format']],
    [{ min: 3, max: 2 }, ['min format']],
    [{ min: 2, max: 2 }, []],
    [{ pattern: 1 }, ['pattern type']],
    [{ pattern: 'a'.repeat(1_001) }, ['pattern too_long']],
    [{ pattern: '(?=a)' }, ['pattern pattern']],
    [{ pattern: '^\\p{L}+$' }, []],
    [{ type: 'select' }, ['options required']],
    [{ type: 'select', options: [] }, ['options length']],
    [{ type: 'select', options: 'a' }, ['options type']],
    [{ type: 'select', options: ['a', ' ', 1, 'a'] }, ['options.1 required', 'options.2 type', 'options.3 duplicate']],
    [{ type: 'select', options: ['a'.repeat(256)] }, ['options.0 too_long']],
    [{ type: 'reference' }, ['content_type required']],
    [{ type: 'reference', content_type: '' }, ['content_type required']],
    [{ type: 'reference', content_type: 1 }, ['content_type type']],
    [{ type: 'reference', content_type: 'authors' }, []],
    [{ type: 'reference', content_types: ['authors', 'companies'] }, []],
    [{ type: 'reference', content_types: ['authors'], content_type: 'authors' }, ['content_types not_applicable']],
    [{ type: 'reference', content_types: [] }, ['content_types length']],
    [{ type: 'reference', content_types: Array.from({ length: 21 }, (_, n) => `t${n}`) }, ['content_types length']],
    [{ type: 'reference', content_types: 'authors' }, ['content_types type']],
    [
      { type: 'reference', content_types: ['a', '', 1, 'a'] },
      ['content_types.1 required', 'content_types.2 type', 'content_types.3 duplicate'],
    ],
    [{ content_types: ['a'] }, ['content_types not_applicable']],
  ])('checks the values of attributes: %j', async (definition, expected) =>
    expect(await of(definition)).toEqual(expected),
  );

  it.each([
    [{ default: 'a' }, []],
    [{ default: null }, ['default type']],
    [{ default: 1 }, ['default type']],
    [{ default: 'abc', max: 2 }, ['default too_long']],
    [{ default: 'abc', pattern: '^x' }, ['default pattern']],
    [{ type: 'select', options: ['a'], default: 'b' }, ['default options']],
    [{ multiple: true, default: ['a', 'b'] }, []],
    [{ multiple: true, default: 'a' }, ['default type']],
    [{ multiple: true, default: ['a', 2] }, ['default.1 type']],
    [{ type: 'json', default: { a: 1 } }, []],
    [{ type: 'media', default: { url: '/a' } }, ['default.alt required']],
  ])('checks the default as a value: %j', async (definition, expected) =>
    expect(await of(definition)).toEqual(expected),
  );

  it('requires defaults in forms to be strings', async () => {
    expect(await of({ type: 'number', default: '5' }, 'form')).toEqual([]);
    expect(await of({ type: 'number', default: 5 }, 'form')).toEqual(['default type']);
  });

  it('lists every error', async () => {
    expect(
      await faults([
        { name: 'id', type: 'text', foo: 1 },
        { name: 'b', type: 'number', min: 'x' },
      ]),
    ).toEqual(['fields.0.name reserved', 'fields.0.foo unknown_property', 'fields.1.min type']);
  });

  it('reads no default of an invalid definition, also when there are too many errors to list', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`x${i}`, 1]));
    const select = { name: 'b', type: 'select', options: 5, default: 'x' };
    expect(await faults([{ name: 'a', type: 'text', ...unknown }, select])).toHaveLength(1_000);
  });

  it('never changes its input and never throws', async () => {
    const attribute = fc.constantFrom(
      'name',
      'type',
      'min',
      'max',
      'pattern',
      'options',
      'default',
      'multiple',
      'label',
    );
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom('text', 'select', 'media', '(', '\ud800', true));
    const lists = fc.array(fc.dictionary(fc.oneof(attribute, fc.string()), value), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(lists, fc.constantFrom<FieldKind>('content', 'form'), async (list, kind) => {
        const before = JSON.stringify(list);
        await checkDefinitions('tenant', list, kind);
        expect(JSON.stringify(list)).toBe(before);
      }),
    );
  });
});
