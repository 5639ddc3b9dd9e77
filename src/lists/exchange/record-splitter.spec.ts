import fc from 'fast-check';
import { formatRecord, parseRecord } from '../../lists/exchange/csv.js';
import { RecordSplitter } from './record-splitter.js';

const MAX = 1_000;

function all(isCsv: boolean, chunks: Buffer[]) {
  const splitter = new RecordSplitter(isCsv, MAX);
  const records = chunks.flatMap((chunk) => [...splitter.push(chunk)]);
  const last = splitter.end();
  return [...records, ...(last ? [last] : [])];
}

function split(isCsv: boolean, chunks: Buffer[]): [number, string | undefined][] {
  return all(isCsv, chunks).map(({ line, bytes }) => [line, bytes?.toString()]);
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

  it('does not take the rest of a cell that is too large for records', () => {
    const found = all(true, [Buffer.from(`a,"${'x'.repeat(MAX)}\nb\nc"\nd`)]);
    expect(found.map(({ line, lastLine, bytes }) => [line, lastLine, bytes?.toString()])).toEqual([
      [1, 3, undefined],
      [4, 4, 'd'],
    ]);
  });

  it('knows the last line of a record whose quotation mark is never closed', () => {
    const ends = (text: string) => all(true, [Buffer.from(text)]).map(({ line, lastLine }) => [line, lastLine]);
    expect(ends('a\n"b\nc\n')).toEqual([
      [1, 1],
      [2, 3],
    ]);
    expect(ends('a\n"b\nc')).toEqual([
      [1, 1],
      [2, 3],
    ]);
    expect(ends('a\n"b"\n')).toEqual([
      [1, 1],
      [2, 2],
    ]);
  });

  it('has the separator of its header, or the one that Excel names before it', () => {
    const separators = (text: string) => all(true, [Buffer.from(text)]).map(({ line, separator }) => [line, separator]);
    expect(separators('a,b;c\nd')).toEqual([
      [1, ','],
      [2, ','],
    ]);
    expect(separators('a;b\n"c,\n";d\ne')).toEqual([
      [1, ';'],
      [2, ';'],
      [4, ';'],
    ]);
    expect(separators('a\tb')).toEqual([[1, '\t']]);
    expect(separators('\ufeffsep=;\r\na\r\n')).toEqual([[2, ';']]);
    expect(separators('"sep=\t"\na')).toEqual([[2, '\t']]);
  });

  it('reports a line that is too large, and continues after it', () => {
    expect(lines(`${'x'.repeat(MAX + 1)}\nb`)).toEqual([
      [1, undefined],
      [2, 'b'],
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
