import { conversionOf } from './conversions.js';
import type { FieldDefinition } from '../field-definition.js';

type Attributes = Partial<FieldDefinition> & { type: string };

const convert = (before: Attributes, after: Attributes, value: unknown): unknown =>
  (conversionOf(before, after) ?? ((same: unknown) => same))(value);

describe('conversionOf', () => {
  it.each([
    ['integer', 'text', 42, '42'],
    ['number', 'text', 2.5, '2.5'],
    ['number', 'text', -0, '-0'],
    ['boolean', 'text', false, 'false'],
    ['date', 'text', '2026-01-31', '2026-01-31'],
    ['integer', 'number', 7, 7],
    ['text', 'rich_text', 'a < b & "c"', 'a &lt; b &amp; &quot;c&quot;'],
    ['text', 'integer', '42', 42],
    ['text', 'number', '-2.5', -2.5],
    ['text', 'number', '-0', -0],
    ['text', 'boolean', 'true', true],
    ['text', 'email', 'ada@example.com', 'ada@example.com'],
  ])('converts %s to %s', (before, after, value, converted) => {
    expect(convert({ type: before }, { type: after }, value)).toBe(converted);
  });

  it.each([
    ['number', '007'],
    ['number', '1.50'],
    ['number', '1e3'],
    ['number', '+1'],
    ['number', ' 1'],
    ['number', ''],
    ['number', 'Infinity'],
    ['boolean', 'TRUE'],
  ])('leaves a text that would lose something as it is: %s of %j', (type, text) => {
    expect(convert({ type: 'text' }, { type }, text)).toBe(text);
  });

  it('takes texts as HTML if the definition says so', () => {
    expect(convert({ type: 'text' }, { type: 'rich_text', html: true }, '<b>')).toBe('<b>');
  });

  it('makes lists of single values, and single values of lists with at most one', () => {
    expect(convert({ type: 'text' }, { type: 'text', multiple: true }, 'a')).toEqual(['a']);
    expect(convert({ type: 'integer' }, { type: 'text', multiple: true }, 1)).toEqual(['1']);
    expect(convert({ type: 'text', multiple: true }, { type: 'text' }, ['a'])).toBe('a');
    expect(convert({ type: 'text', multiple: true }, { type: 'integer' }, ['1'])).toBe(1);
    expect(convert({ type: 'text', multiple: true }, { type: 'text' }, [])).toBeUndefined();
    expect(convert({ type: 'text', multiple: true }, { type: 'text' }, ['a', 'b'])).toEqual(['a', 'b']);
    expect(convert({ type: 'integer', multiple: true }, { type: 'text', multiple: true }, [1, 2])).toEqual(['1', '2']);
  });

  it('leaves what becomes JSON as it is', () => {
    expect(convert({ type: 'text', multiple: true }, { type: 'json' }, ['a'])).toEqual(['a']);
    expect(convert({ type: 'json' }, { type: 'text', multiple: true }, ['a'])).toEqual(['a']);
  });
});
