import fc from 'fast-check';
import { decodeCursor, encodeCursor } from './cursor.js';
import { readPage } from './page.js';

describe('cursors', () => {
  const keys = fc.array(fc.option(fc.string({ unit: 'grapheme' })), { minLength: 1, maxLength: 5 });

  it('return the keys that they were encoded from, but only for the same list', () => {
    fc.assert(
      fc.property(keys, fc.string(), fc.string(), (place, list, other) => {
        const storable = place.map((key) => key?.replaceAll('\0', '') ?? null);
        const token = encodeCursor(storable, list);
        expect(decodeCursor(token, list)).toEqual(storable);
        if (list !== other) expect(decodeCursor(token, other)).toBeUndefined();
      }),
    );
  });

  it('are refused if encodeCursor did not create them', () => {
    fc.assert(fc.property(fc.string(), (text) => decodeCursor(text, 'list') === undefined));
    fc.assert(
      fc.property(fc.json(), (json) => decodeCursor(Buffer.from(json).toString('base64url'), 'list') === undefined),
    );
  });
});

describe('pages', () => {
  it('accept only integers within their limits', () => {
    expect(readPage({})).toEqual({ page: 1, perPage: 25 });
    expect(readPage({ page: '7', per_page: '100' })).toEqual({ page: 7, perPage: 100 });
    fc.assert(
      fc.property(fc.string(), (text) => {
        const valid = /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= 100;
        if (valid) expect(readPage({ per_page: text })).toMatchObject({ perPage: Number(text) });
        else expect(() => readPage({ per_page: text })).toThrow();
      }),
    );
  });
});
