import fc from 'fast-check';
import { propertyRuns } from '../../test/support/property-runs.js';
import { type Json, readJson, UnreadableJsonError } from './read-json.js';

/** Maps as objects, like the result of `JSON.parse`. */
function plain(json: Json): unknown {
  if (Array.isArray(json)) return (json as readonly Json[]).map(plain);
  if (!(json instanceof Map)) return json;
  const members = [...(json as ReadonlyMap<string, Json>)].map(([name, value]) => [name, plain(value)] as const);
  return Object.fromEntries(members);
}

function failure(text: string, maxLevels = 64): UnreadableJsonError {
  try {
    readJson(text, maxLevels);
  } catch (error) {
    if (error instanceof UnreadableJsonError) return error;
    throw error;
  }
  throw new Error(`${text} is readable.`);
}

describe('readJson', () => {
  it('reads what JSON.parse reads', () => {
    const blanks = fc.constantFrom('', ' ', '\n\t', '\r ');
    fc.assert(
      fc.property(fc.json(), blanks, (text, blank) => {
        expect(plain(readJson(blank + text + blank, 100))).toEqual(JSON.parse(text));
      }),
    );
  });

  it('refuses what JSON.parse refuses', () => {
    const broken = fc.tuple(
      fc.json(),
      fc.nat(),
      fc.constantFrom('', ',', '"', '}', ']', '\\', 'x', '\n', '0', '-', '.'),
    );
    fc.assert(
      fc.property(broken, ([text, place, inserted]) => {
        const at = place % (text.length + 1);
        const changed = text.slice(0, at) + inserted + text.slice(at + 1);
        let expected: unknown;
        try {
          expected = JSON.parse(changed);
        } catch {
          expect(() => readJson(changed, 100)).toThrow(UnreadableJsonError);
          return;
        }
        // The change may have made two names equal.
        try {
          expect(plain(readJson(changed, 100))).toEqual(expected);
        } catch (error) {
          expect((error as UnreadableJsonError).reason).toMatch(/^(?:repeats|has a number)/);
        }
      }),
      { numRuns: propertyRuns(200) },
    );
  });

  it.each([
    ['', 'ends too early', 0],
    ['  ', 'ends too early', 2],
    ['{"a": 1', 'ends too early', 7],
    ['{"a" 1}', 'has an unexpected "1"', 5],
    ['{"a": x}', 'has an unexpected "x"', 6],
    ['{a: 1}', 'has an unexpected "a"', 1],
    ["{'a': 1}", 'has an unexpected "\'"', 1],
    ['{"a": 1,}', 'has an unexpected "}"', 8],
    ['[1,]', 'has an unexpected "]"', 3],
    ['[01]', 'has an unexpected "1"', 2],
    ['1 2', 'has an unexpected "2"', 2],
    ['["a\nb"]', 'has a string that does not end or has an invalid character', 1],
    ['["a', 'has a string that does not end or has an invalid character', 1],
    ['["\\x"]', 'has a string that does not end or has an invalid character', 1],
    ['[😀]', 'has an unexpected "😀"', 1],
    ['{"a": 1, "a": 2}', 'repeats "a"', 9],
    ['{"a": 1, "\\u0061": 2}', 'repeats "a"', 9],
  ])('says where %j is wrong', (text, reason, index) => {
    expect(failure(text)).toMatchObject({ reason, index });
  });

  it('treats every name as an ordinary name', () => {
    const map = readJson('{"__proto__": {"a": 1}, "constructor": 2}', 5) as ReadonlyMap<string, Json>;
    expect([...map.keys()]).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
  });

  it('refuses text that is nested more deeply than allowed, however deep', () => {
    expect(readJson('[[{"a":[]}]]', 4)).toBeDefined();
    expect(failure('[[{"a":[]}]]', 3)).toMatchObject({ reason: 'is nested too deeply', index: 7 });
    expect(failure('['.repeat(100_000))).toMatchObject({ reason: 'is nested too deeply', index: 64 });
    expect(failure('{"a":'.repeat(100_000))).toMatchObject({ reason: 'is nested too deeply' });
  });
});
