import fc from 'fast-check';
import { runAtOnce } from '../admission/sliced-work.js';
import { propertyRuns } from '../../test/support/property-runs.js';
import { parseSliced, TooDeepError } from './parse-sliced.js';
import { stringifySliced } from './stringify-sliced.js';

const parse = (text: string): unknown => runAtOnce(parseSliced(text));
const outcome = (read: (text: string) => unknown, text: string) => {
  try {
    return { value: read(text) };
  } catch (error) {
    return (error as Error).name;
  }
};

/** Adds enough spaces to a text for it to be parsed in pieces. */
const spread = (text: string) => text.replace(/[[\]{},:]/g, (sign) => `${sign}${' '.repeat(3_000)}`);

const LARGE: Record<string, string> = {
  numbers: `[${'1234.5,'.repeat(100_000)}1]`,
  arrays: `[${'[],'.repeat(100_000)}[]]`,
  objects: `{${Array.from({ length: 50_000 }, (_, index) => `"k${index}":{"a":[${index}]}`).join(',')}}`,
  nested: `[${`${'['.repeat(50)}1${']'.repeat(50)},`.repeat(5_000)}1]`,
  'one member': `{"a":{"b":{"c":[${'1,'.repeat(50_000)}2]}}}`,
  'a text': JSON.stringify({ text: '\\"[{,'.repeat(50_000) }),
  names: `{${Array.from({ length: 30_000 }, (_, index) => `"k${index}":1`).join(',')},"__proto__":{"a":1}}`,
  duplicates: `{${'"a":{"b":1},"c":[1],'.repeat(5_000)}"a":2}`,
};

describe('parseSteps', () => {
  it.each(Object.keys(LARGE))('parses %s like JSON.parse, in many steps', (name) => {
    const text = LARGE[name] ?? '';
    const steps = parseSliced(text);
    let count = 0;
    let step = steps.next();
    for (; !step.done; step = steps.next()) count++;
    expect(JSON.stringify(step.value)).toBe(JSON.stringify(JSON.parse(text)));
    if (name !== 'a text') expect(count).toBeGreaterThan(5);
  });

  it('accepts and refuses the same texts as JSON.parse', () => {
    const json = fc.json({ maxDepth: 5 }).map(spread);
    const damaged = fc
      .tuple(json, fc.nat(), fc.nat({ max: 3 }), fc.constantFrom('', ',', ']', '}', '[', '{', '"', ':', '1', ' ', '\\'))
      .map(([text, place, length, put]) => {
        const at = text.length === 0 ? 0 : place % text.length;
        return text.slice(0, at) + put + text.slice(at + length);
      });
    fc.assert(
      fc.property(fc.oneof(json, damaged), (text) => {
        expect(outcome(parse, text)).toEqual(outcome(JSON.parse, text));
      }),
      { numRuns: propertyRuns(400) },
    );
  });

  it.each([
    '[1,]',
    '[,1]',
    '[1 2]',
    '[1}',
    '{"a":1[]}',
    '{"a":1,}',
    '{[]}',
    '[[],]',
    '[[] 1]',
    '[]]',
    '[] 1',
    '[',
    '{"a"}',
    '"',
    ',',
  ])('refuses %s when it is parsed in pieces', (text) => {
    expect(outcome(parse, spread(text))).toBe('SyntaxError');
    expect(outcome(parse, spread(`[${'[1],'.repeat(50)}${text}]`))).toBe('SyntaxError');
  });

  it('treats __proto__ as an ordinary name', () => {
    const text = spread('{"a":1,"__proto__":{"b":[1,2]},"c":{"__proto__":2}}');
    const value = parse(text) as object;
    expect(JSON.stringify(value)).toBe('{"a":1,"__proto__":{"b":[1,2]},"c":{"__proto__":2}}');
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  it('refuses text that is nested too deeply', () => {
    expect(() => parse('['.repeat(100_000))).toThrow(TooDeepError);
  });
});

describe('stringifySteps', () => {
  it.each(Object.keys(LARGE))('writes %s like JSON.stringify', (name) => {
    const value = JSON.parse(LARGE[name] ?? '') as object;
    expect(runAtOnce(stringifySliced(value))).toBe(JSON.stringify(value));
  });

  it('writes any value like JSON.stringify', () => {
    const wide = fc
      .tuple(fc.json({ maxDepth: 6 }), fc.json())
      .map(([a, b]) => `{"x":[${`${a},`.repeat(3_000)}0],"y":${b}}`);
    fc.assert(
      fc.property(wide, (text) => {
        const value = JSON.parse(text) as object;
        expect(runAtOnce(stringifySliced(value))).toBe(JSON.stringify(value));
      }),
      { numRuns: 50 },
    );
  });
});
