import fc from 'fast-check';
import { Schema } from '../../fields/schema.js';
import { CellError, joinList, readCell, splitList, writeCell } from './csv-cells.js';

const schema = Schema.compile(
  [
    { name: 'title', type: 'text' },
    { name: 'tags', type: 'text', multiple: true },
    { name: 'price', type: 'number' },
    { name: 'sizes', type: 'integer', multiple: true },
    { name: 'active', type: 'boolean' },
    { name: 'extra', type: 'json' },
    { name: 'author', type: 'reference', content_type: 'authors' },
    { name: 'authors', type: 'reference', content_type: 'authors', multiple: true },
  ],
  'content',
);
const field = (name: string) => schema.field(name)!;
const text = fc.string({ unit: fc.constantFrom('a', '|', '\\', '=', "'", '\t', '-', 'ü'), maxLength: 8 });

describe('a CSV cell', () => {
  it('of a text is read as it was written', () => {
    fc.assert(
      fc.property(text.filter(Boolean), (value) => {
        expect(readCell(field('title'), writeCell(field('title'), value))).toBe(value);
      }),
    );
  });

  it('of a list is read as it was written', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (values) => {
        expect(splitList(joinList(values))).toEqual(values);
        const cell = writeCell(field('tags'), values);
        if (cell !== '') expect(readCell(field('tags'), cell)).toEqual(values);
      }),
    );
  });

  it('that a spreadsheet would run has an apostrophe, if it is a text', () => {
    for (const value of ['=1+1', '+1', '-1', '@A1', '\tx', '\rx', "'=x"]) {
      expect(writeCell(field('title'), value)).toBe(`'${value}`);
    }
    expect(writeCell(field('title'), "'tis")).toBe("'tis");
    expect(writeCell(field('tags'), ['=a', '=b'])).toBe("'=a|=b");
    expect(writeCell(field('price'), -1)).toBe('-1');
  });

  it('splits at bars, and a backslash makes a bar literal', () => {
    expect(splitList('a|b\\|c|d\\e')).toEqual(['a', 'b|c', 'd\\e']);
    expect(readCell(field('sizes'), '1|2|x')).toEqual([1, 2, 'x']);
  });

  it('takes no longer than its length requires', () => {
    const backslashes = `${'\\'.repeat(1_000_000)}x`;
    expect(splitList(joinList([backslashes, backslashes]))).toEqual([backslashes, backslashes]);
    const digits = `${'1'.repeat(1_000_000)}x`;
    expect(readCell(field('price'), digits)).toBe(digits);
  });

  it('of other types is a number, a boolean or JSON', () => {
    expect(readCell(field('price'), ' 1.50 ')).toBe(1.5);
    expect(readCell(field('price'), 'dear')).toBe('dear');
    expect(readCell(field('active'), 'TRUE')).toBe(true);
    expect(readCell(field('extra'), '{"a":[1]}')).toEqual({ a: [1] });
    expect(() => readCell(field('extra'), '{a}')).toThrow(CellError);
    expect(writeCell(field('author'), 'ent_1')).toBe('"ent_1"');
    expect(readCell(field('author'), '"ent_1"')).toBe('ent_1');
    expect(readCell(field('author'), 'ent_1')).toBe('ent_1');
    expect(readCell(field('authors'), '["ent_1","ent_2"]')).toEqual(['ent_1', 'ent_2']);
    expect(readCell(field('authors'), 'ent_1|ent_2')).toEqual(['ent_1', 'ent_2']);
    expect(readCell(field('price'), '')).toBeUndefined();
  });
});
