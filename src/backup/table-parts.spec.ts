import fc from 'fast-check';
import { TableParts } from './table-parts.js';

/** Rows of text as in the output of COPY, and the lengths of the chunks that it arrives in. */
const output = fc.tuple(fc.array(fc.stringMatching(/^[a-z\\\t]{0,20}$/)), fc.array(fc.nat({ max: 30 })));

function chunksOf(text: Buffer, lengths: number[]): Buffer[] {
  const chunks: Buffer[] = [];
  let at = 0;
  for (const length of lengths) {
    chunks.push(text.subarray(at, at + length));
    at += length;
  }
  return [...chunks, text.subarray(at)];
}

describe('parts of a table', () => {
  it('contain whole rows, and together all rows, for any chunks of the output', () => {
    fc.assert(
      fc.property(output, fc.integer({ min: 1, max: 50 }), ([rows, lengths], bytes) => {
        const text = Buffer.from(rows.map((row) => `${row}\n`).join(''));
        const parts = new TableParts(bytes);
        const found = chunksOf(text, lengths).map((chunk) => parts.push(chunk));
        const all = [...found, parts.end()].filter((part) => part !== undefined);
        expect(Buffer.concat(all).equals(text)).toBe(true);
        expect(all.every((part) => part.at(-1) === 0x0a)).toBe(true);
        expect(parts.rows).toBe(rows.length);
      }),
    );
  });

  it('are not much longer than requested', () => {
    const parts = new TableParts(1000);
    const chunk = Buffer.from(`${'a'.repeat(99)}\n`);
    const lengths = Array.from({ length: 100 }, () => parts.push(chunk)?.length).filter(
      (length) => length !== undefined,
    );
    expect(lengths).toEqual(Array(10).fill(1000));
    expect(parts.end()).toBeUndefined();
  });
});
