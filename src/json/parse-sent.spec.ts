import fc from 'fast-check';
import { runAtOnce } from '../admission/sliced-work.js';
import { propertyRuns } from '../../test/support/property-runs.js';
import { parseSent } from './parse-sent.js';

const parse = (text: string): unknown => runAtOnce(parseSent(text));
const outcome = (read: (text: string) => unknown, text: string) => {
  try {
    return { value: read(text) };
  } catch (error) {
    return (error as Error).name;
  }
};

describe('parseSent', () => {
  it('makes each number infinite that would become another one', () => {
    expect(parse('{"a":9007199254740993,"b":[1e-400, -123456789123456.12345,1e2],"c":1.0}')).toEqual({
      a: Infinity,
      b: [Infinity, Infinity, 100],
      c: 1,
    });
    expect(parse('9007199254740993')).toBe(Infinity);
    expect(parse('{"a":\n-9007199254740993}')).toEqual({ a: Infinity });
  });

  it('leaves texts and names as they are, whatever they contain', () => {
    const text = String.raw`{"1e999, 9007199254740993":" 9007199254740993,\",:1e-400","x":9007199254740993}`;
    expect(parse(text)).toEqual({ '1e999, 9007199254740993': ' 9007199254740993,",:1e-400', x: Infinity });
  });

  it('does the same in a large text, in steps', () => {
    const text = `[${'"1e5",9007199254740993,'.repeat(20_000)}1]`;
    const steps = parseSent(text);
    let count = 0;
    while (!steps.next().done) count++;
    expect(count).toBeGreaterThan(10);
    expect(new Set(parse(text) as unknown[])).toEqual(new Set(['1e5', Infinity, 1]));
  });

  it('accepts and refuses the same texts as JSON.parse, and reads the same if all numbers are kept', () => {
    const part = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '"a"',
      '\\',
      ' ',
      '-',
      '.',
      'e',
      'E5',
      '+',
      '0',
      '9007199254740993',
      '1.5',
      'true',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        const [own, known] = [outcome(parse, text), outcome(JSON.parse, text)];
        expect(typeof own).toBe(typeof known);
        if (!text.includes('9007199254740993')) expect(own).toEqual(known);
      }),
      { numRuns: propertyRuns(1_000) },
    );
    fc.assert(
      fc.property(fc.jsonValue(), (value) =>
        expect(parse(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(value))),
      ),
    );
  });
});
