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
const text = fc.string({
  unit: fc.constantFrom('a', '|', '\\', '=', "'", '\t', '-', 'ü', ';', '\n', '"', '＝', '＠'),
  maxLength: 8,
});

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
    for (const value of ['\nx', '＝1+1', '＋1', '－1', '＠A1'])
      expect(writeCell(field('title'), value)).toBe(`'${value}`);
    expect(writeCell(field('title'), "'tis")).toBe("'tis");
    expect(writeCell(field('tags'), ['=a', '=b'])).toBe("'=a|=b");
    expect(writeCell(field('price'), -1)).toBe('-1');
  });

  it('has an apostrophe also where a spreadsheet that separates by semicolons or tabs would begin a cell', () => {
    const cells = [
      ['a;=cmd', "a;'=cmd"],
      ['a;"=cmd', `a;'"=cmd`],
      ['a\t@x', "a\t'@x"],
      ['a\n=x;b', "a\n'=x;b"],
      ['a;＝x', "a;'＝x"],
      ["a;''=x", "a;'''=x"],
      ['a; b\n\nc;-d', "a; b\n\nc;'-d"],
    ] as const;
    for (const [value, cell] of cells) expect(writeCell(field('title'), value)).toBe(cell);
    expect(writeCell(field('extra'), { a: ';=cmd' })).toBe(String.raw`{"a":";\u003dcmd"}`);
    expect(readCell(field('extra'), String.raw`{"a":";\u003dcmd"}`)).toEqual({ a: ';=cmd' });
  });

  it('of a number or of JSON is not read as another number', () => {
    expect(readCell(field('price'), '9007199254740993')).toBe(Infinity);
    expect(readCell(field('sizes'), '1|9007199254740993')).toEqual([1, Infinity]);
    expect(readCell(field('extra'), '[1e-400]')).toEqual([Infinity]);
  });

  it('splits at bars, and a backslash makes a bar literal', () => {
    expect(splitList('a|b\\|c|d\\e')).toEqual(['a', 'b|c', 'd\\e']);
    expect(readCell(field('sizes'), '1|2|x')).toEqual([1, 2, 'x']);
  });

  it('takes no longer than its length requires', () => {
    const backslashes = `${'\\'.repeat(1_000_000)}x`;
    expect(splitList(joinList([backslashes, backslashes]))).toEqual([backslashes, backslashes]);
    for (const sign of [';', "'", '"', ';\'"', '\n']) writeCell(field('title'), sign.repeat(300_000));
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
