import fc from 'fast-check';
import { formatRecord, parseRecord } from '../../lists/exchange/csv.js';
import { RecordSplitter } from './record-splitter.js';

const MAX = 1_000;

function split(isCsv: boolean, chunks: Buffer[]): [number, string | undefined][] {
  const splitter = new RecordSplitter(isCsv, MAX);
  const records = chunks.flatMap((chunk) => [...splitter.push(chunk)]);
  const last = splitter.end();
  return [...records, ...(last ? [last] : [])].map(({ line, bytes }) => [line, bytes?.toString()]);
}

const lines = (text: string) => split(false, [Buffer.from(text)]);
const records = (text: string) => split(true, [Buffer.from(text)]);

describe('a stream of records', () => {
  it('has a line for each line end, and skips empty lines', () => {
    expect(lines('a\n\nb\r\n\r\nc')).toEqual([
      [1, 'a'],
      [3, 'b'],
      [5, 'c'],
    ]);
  });

  it('keeps line ends in quotation marks, and counts physical lines', () => {
    expect(records('a,"b\n""c\r\n"\r\nd\ne"f\ng')).toEqual([
      [1, 'a,"b\n""c\r\n"'],
      [4, 'd'],
      [5, 'e"f'],
      [6, 'g'],
    ]);
  });

  it('has no byte order mark', () => {
    expect(records('\ufeff"a\nb",c')).toEqual([[1, '"a\nb",c']]);
    expect(lines('\ufeff{}')).toEqual([[1, '{}']]);
  });

  it('reports a record that is too large, and continues after its line', () => {
    expect(lines(`${'x'.repeat(MAX + 1)}\nb`)).toEqual([
      [1, undefined],
      [2, 'b'],
    ]);
    expect(records(`a,"${'x'.repeat(MAX)}\nb\nc`)).toEqual([
      [1, undefined],
      [2, 'b'],
      [3, 'c'],
    ]);
  });

  it('does not depend on the chunks, and returns every CSV record as it was written', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', 'ü', "'", ' '), maxLength: 8 });
    const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 8 });
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 7 }), (all, size) => {
        const bytes = Buffer.from(all.map(formatRecord).join(''));
        const chunks = [];
        for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
        expect(split(true, chunks).map(([, text]) => parseRecord(text ?? ''))).toEqual(all);
      }),
    );
  });

  it('takes little memory if each byte is a chunk of its own', () => {
    const size = 500_000;
    const splitter = new RecordSplitter(false, size);
    const chunk = Buffer.alloc(size, 'a');
    const before = process.memoryUsage().heapUsed;
    for (let at = 0; at < size; at++) Array.from(splitter.push(chunk.subarray(at, at + 1)));
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(25 * 1024 * 1024);
    expect(splitter.end()?.bytes).toEqual(chunk);
  });

  it('has a CSV record whose quotation marks are wrong as malformed', () => {
    expect(parseRecord('"a"b,c')).toBeUndefined();
    expect(parseRecord('"a')).toBeUndefined();
    expect(parseRecord('a"b,c')).toEqual(['a"b', 'c']);
    expect(parseRecord('')).toEqual(['']);
    expect(parseRecord('a,')).toEqual(['a', '']);
  });
});
