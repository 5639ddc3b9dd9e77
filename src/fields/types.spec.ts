import { Validation } from './check.js';
import { CompiledField } from './compiled-field.js';
import { FieldDefinition, FieldKind } from './field-definition.js';
import { typesOf } from './registry.js';
import { Schema } from './schema.js';

const field = (kind: FieldKind, type: string, rest: Partial<FieldDefinition> = {}): CompiledField =>
  Schema.compile([{ name: 'it', type, ...rest }], kind).field('it') as CompiledField;

const faults = (field: CompiledField, value: unknown) => {
  const validation = new Validation();
  field.inspect(value, validation);
  return validation.errors;
};

const codes = (kind: FieldKind, type: string, value: unknown, rest?: Partial<FieldDefinition>): string[] =>
  faults(field(kind, type, rest), value).map(({ path, code }) => `${path.replace('fields.it', '')} ${code}`.trim());

type Case = [type: string, values: unknown[], rest?: Partial<FieldDefinition>];
type Fault = [type: string, value: unknown, faults: string[], rest?: Partial<FieldDefinition>];

const options = ['red', 'blue'];
const id = 'ent_01j9zt5k8h0000000000000000';
const media = { url: 'https://example.com/a.jpg', alt: '' };

describe('a content field', () => {
  const good: Case[] = [
    ['text', ['', ' a ', '\u00e9', 'a\nb']],
    ['text', ['abc', '😀😀😀', 'abcde'], { min: 3, max: 5 }],
    ['text', ['AB-1', 'x AB-1 y'], { pattern: '[A-Z]{2}-\\d' }],
    ['rich_text', ['', '<p>broken', '<script>x</script>']],
    ['media', [media, { alt: 'A', url: '/v1/media/ten_a/x' }, { url: 'http://localhost:3000/x', alt: 'a' }]],
    ['number', [0, -0, 1.5, -1e300], {}],
    ['number', [1, 2, 1.5], { min: 1, max: 2 }],
    ['integer', [0, -7, 2 ** 53 - 1]],
    ['boolean', [true, false]],
    ['date', ['2024-02-29']],
    ['datetime', ['2026-01-31T09:30:00.5+02:00', '2026-01-31T09:30Z', '2026-01-31T09:30:00+0200', '2026-01-31']],
    ['email', ['ada@example.com', 'ünï@exämple.com', '"a b"@example.com']],
    ['url', ['https://example.com', 'HTTP://EXAMPLE.com/ä?q=1#x', 'http://localhost:3000', 'http://[::1]/']],
    ['select', options, { options }],
    ['json', [{}, [], 0, false, 'x', { a: { b: [null] } }]],
    ['reference', [id], { content_type: 'authors' }],
    ['text', [[], ['a', 'a']], { multiple: true }],
    ['integer', [[1, 2]], { multiple: true, min: 1 }],
    ['media', [[media, media]], { multiple: true }],
    ['json', [[1, null]], { multiple: true }],
  ];
  it.each(good)('of type %s accepts %j (%j)', (type, values, rest = {}) => {
    for (const value of values) expect(codes('content', type, value, rest)).toEqual([]);
  });

  const bad: Fault[] = [
    ['text', 1, ['type']],
    ['text', ['a'], ['type']],
    ['text', '😀😀', ['too_short'], { min: 3 }],
    ['text', '😀😀😀', ['too_long'], { max: 2 }],
    ['text', 'abcdef', ['too_long', 'pattern'], { max: 5, pattern: '^x' }],
    ['rich_text', { html: '' }, ['type']],
    ['media', 'https://example.com/a.jpg', ['type']],
    ['media', [], ['type']],
    ['media', {}, ['.url required', '.alt required']],
    ['media', { url: 1, alt: null }, ['.url type', '.alt required']],
    ['media', { ...media, title: 'x' }, ['.title unknown_property']],
    ['media', JSON.parse('{"url":"/a","alt":"","__proto__":1}'), ['.__proto__ unknown_property']],
    ['media', { url: '//evil.example/a', alt: '' }, ['.url format']],
    ['media', { url: '/\\evil.example/a', alt: '' }, ['.url format']],
    ['media', { url: 'javascript:alert(1)', alt: '' }, ['.url format']],
    ['media', { url: 'a.jpg', alt: '' }, ['.url format']],
    ['media', { url: `/${'a'.repeat(2_048)}`, alt: 'a'.repeat(1_001) }, ['.url format', '.alt too_long']],
    ['number', '1', ['type']],
    ['number', Infinity, ['type']],
    ['number', NaN, ['type']],
    ['number', 0.5, ['min'], { min: 1 }],
    ['number', 3, ['max'], { max: 2 }],
    ['integer', 1.5, ['type']],
    ['integer', 2 ** 53, ['type']],
    ['integer', '1', ['type']],
    ['boolean', 'true', ['type']],
    ['boolean', 0, ['type']],
    ['date', 20260131, ['type']],
    ['date', '2026-02-30', ['format']],
    ['datetime', '2026-01-31T09:30', ['format']],
    ['datetime', '2026-01-31T09:30:00 02:00', ['format']],
    ['email', 'ada', ['format']],
    ['email', 'ada@example.com\n', ['format']],
    ['email', '"a\r\nBcc: x"@example.com', ['format']],
    ['email', `${'a'.repeat(250)}@example.com`, ['format']],
    ['url', 'example.com', ['format']],
    ['url', 'ftp://example.com', ['format']],
    ['url', 'javascript:alert(1)', ['format']],
    ['url', 'http:example.com', ['format']],
    ['url', 'https://', ['format']],
    ['url', 'https://exa mple.com', ['format']],
    ['url', 'https://example.com/"><script>', ['format']],
    ['url', `https://example.com/${'a'.repeat(2_048)}`, ['format']],
    ['select', 'green', ['options'], { options }],
    ['select', 1, ['type'], { options }],
    ['reference', 'ent_x', ['format'], { content_type: 'authors' }],
    ['reference', id.replace('ent_0', 'ent_8'), ['format'], { content_type: 'authors' }],
    ['reference', id.toUpperCase(), ['format'], { content_type: 'authors' }],
    ['text', 'a', ['type'], { multiple: true }],
    ['text', ['a', 1, null], ['.1 type', '.2 type'], { multiple: true }],
    ['integer', [0, 5, 9], ['.0 min', '.2 max'], { multiple: true, min: 1, max: 6 }],
    ['text', Array<string>(1_001).fill('a'), ['too_long'], { multiple: true }],
    ['text', [], ['required'], { multiple: true, required: true }],
  ];
  it.each(bad)('of type %s refuses %j', (type, value, faults, rest = {}) => {
    expect(codes('content', type, value, rest)).toEqual(faults);
  });
});

describe('a form field', () => {
  const good: Case[] = [
    ['text', ['a', 'a'.repeat(1_000)]],
    ['text', ['a'.repeat(2_000)], { max: 2_000 }],
    ['textarea', ['a\nb', 'a'.repeat(20_000)]],
    ['email', ['ada@example.com']],
    ['number', ['0', '-12.5', '+3', '.5', '5.', '1e3', ' 42 ']],
    ['number', ['5'], { min: 5, max: 5 }],
    ['tel', ['112', '+44 (20) 7946-0018', '030/123.45', '555-0100 x12', '555-0100 Ext. 12']],
    ['url', ['https://example.com']],
    ['date', ['2026-01-31']],
    ['select', options, { options }],
    ['select', ['a', [], ['a', 'b c'], 'a, b c'], { options: ['a', 'b c'], multiple: true }],
    ['checkbox', ['true', 'false']],
    ['hidden', ['anything']],
    ['file', ['resume.pdf']],
    ['file', ['a.pdf, b.pdf', ['a.pdf', 'b, c.pdf']], { multiple: true }],
  ];
  it.each(good)('of type %s accepts %j', (type, values, rest = {}) => {
    for (const value of values) expect(codes('form', type, value, rest)).toEqual([]);
  });

  const bad: Fault[] = [
    ['text', 1, ['type']],
    ['text', 'a'.repeat(1_001), ['too_long']],
    ['textarea', 'a'.repeat(20_001), ['too_long']],
    ['email', 'a'.repeat(5_000), ['too_long']],
    ['email', 'ada@', ['format']],
    ['number', 5, ['type']],
    ['number', '1,5', ['format']],
    ['number', '0x10', ['format']],
    ['number', '1e999', ['format']],
    ['number', ' ', ['format']],
    ['number', '4', ['min'], { min: 5 }],
    ['tel', '12', ['format']],
    ['tel', 'call me on 112', ['format']],
    ['url', 'example.com', ['format']],
    ['date', '31.01.2026', ['format']],
    ['select', 'green', ['options'], { options }],
    ['select', ['a', 'c', 1], ['.1 options', '.2 type'], { options: ['a'], multiple: true }],
    ['select', 'a,b', ['.0 options'], { options: ['a', 'b'], multiple: true }],
    ['checkbox', 'on', ['format']],
    ['checkbox', true, ['type']],
    ['hidden', 'a'.repeat(1_001), ['too_long']],
    ['file', 1, ['type']],
    ['file', [1], ['.0 type'], { multiple: true }],
  ];
  it.each(bad)('of type %s refuses %j', (type, value, faults, rest = {}) => {
    expect(codes('form', type, value, rest)).toEqual(faults);
  });
});

describe.each(['content', 'form'] as const)('every %s type', (kind) => {
  const types = [...typesOf(kind)];

  it.each(types)('%s accepts its own example', (name, type) => {
    const fields = ['title', 'description', 'text'].map((one) => ({ name: one, type: 'text' }));
    const rest = { options: [type.value.example as string], fields, blocks: [{ name: 'quote', fields }] };
    expect(codes(kind, name, type.isList ? [type.value.example] : type.value.example, rest)).toEqual([]);
  });

  it.each(types)('%s has a key if it is sortable, and reads filters if it has a key', (_, type) => {
    if (type.sortable) expect(type.key).toBeDefined();
    expect(type.readFilter === undefined).toBe(type.key === undefined);
  });

  it.each(types)('%s never throws, even on unusual values', (name) => {
    for (const value of [undefined, null, NaN, '\ud800', '\u0000', {}, [], [[]], Object.create(null), new Date()]) {
      expect(() => faults(field(kind, name, { options }), value)).not.toThrow();
    }
  });
});

describe('a filter', () => {
  const reads: [string, string, unknown][] = [
    ['text', 'Über', 'Über'],
    ['rich_text', '<p>', '<p>'],
    ['media', 'https://example.com/a.jpg', media],
    ['number', '-1.50', -1.5],
    ['number', '1e3', 1000],
    ['integer', '-7', -7],
    ['boolean', 'true', true],
    ['boolean', 'false', false],
    ['date', '2026-01-31', '2026-01-31'],
    ['datetime', '2026-01-31T09:30:00Z', '2026-01-31T10:30:00.0+01:00'],
    ['datetime', '2026-01-31T00:00:00Z', '2026-01-31'],
    ['datetime', '2026-01-31T11:30:00 0200', '2026-01-31T09:30Z'],
    ['email', 'ada@example.com', 'ada@example.com'],
    ['select', 'red', 'red'],
    ['reference', id, id],
  ];
  it.each(reads)('on %s reads %j as the key of %j', (type, text, value) => {
    expect(field('content', type).readFilter(text)).toEqual(field('content', type).type.key?.(value));
  });

  const unread: [string, string][] = [
    ['number', ''],
    ['number', '1,5'],
    ['number', 'Infinity'],
    ['number', '1e999'],
    ['number', `1${'0'.repeat(2_000)}`],
    ['integer', '1.5'],
    ['integer', '9007199254740993'],
    ['boolean', '1'],
    ['date', 'today'],
    ['datetime', '2026-02-30'],
    ['reference', 'authors'],
    ['json', '{}'],
  ];
  it.each(unread)('on %s does not read %j', (type, text) => {
    expect(field('content', type).readFilter(text)).toBeUndefined();
  });

  const unequal: [string, string, string][] = [
    ['select', 'green', 'red'],
    ['email', '[object Object]', 'ada@example.com'],
    ['url', '[object Object]', 'https://example.com'],
    ['media', '[object Object]', '/v1/media/a.png'],
  ];
  it.each(unequal)('on %s compares with %j, but is never equal to it', (type, text, value) => {
    const compiled = field('content', type, { options: ['red'] });
    expect(compiled.readFilter(text)).toBeDefined();
    expect(compiled.readEqual(text)).toBeUndefined();
    expect(compiled.readEqual(value)).toEqual(compiled.readFilter(value));
  });

  it('on a form field reads a text as a value of its type', () => {
    expect(field('form', 'number').readFilter('10')).toEqual(field('form', 'number').type.key?.(' 1e1 '));
    expect(field('form', 'checkbox').readFilter('yes')).toBeUndefined();
  });
});
