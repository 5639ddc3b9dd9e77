import fc from 'fast-check';
import { runAtOnce } from '../admission/sliced-work.js';
import { propertyRuns } from '../../test/support/property-runs.js';
import { findJsonFault } from './json-fault.js';

const fault = (text: string) => runAtOnce(findJsonFault(text));

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('the place where a text is not JSON', () => {
  it.each([
    ['{"a": 1,}', 1, 9, 'a comma must not follow the last member'],
    ['{\n  "a": [1, 2,\n  ]\n}', 3, 3, 'a comma must not follow the last element'],
    ["{'a': 1}", 1, 2, 'expected a name in double quotes, not in single quotes'],
    ['{a: 1}', 1, 2, 'expected a name in double quotes'],
    ['{"a": \'b\'}', 1, 7, 'expected a value, not in single quotes'],
    ['{"a": undefined}', 1, 7, 'expected a value, not undefined'],
    ['{"a": True}', 1, 7, 'expected a value, not True'],
    ['{"a" 1}', 1, 6, 'expected a colon after the name'],
    ['{"a": 1 "b": 2}', 1, 9, 'expected a comma or }'],
    ['{"a": 1', 1, 8, 'the text ends before the closing }'],
    ['[{"a": "b}]', 1, 8, 'the text that begins here has no closing double quote'],
    ['{"a": "b\nc"}', 1, 9, 'a text must not contain a line break or another control character: write \\n'],
    ['{"a": "\\x"}', 1, 8, 'a backslash must begin one of \\" \\\\ \\/ \\b \\f \\n \\r \\t \\u0000'],
    ['// note\n{}', 1, 1, 'expected a value; JSON has no comments'],
    ['{} {}', 1, 4, 'there is more text after the end of the value'],
    ['{"a": 01}', 1, 8, 'expected a comma or }'],
    ['name=x&slug=y', 1, 1, 'expected a value'],
    ['{"😀é": }', 1, 8, 'expected a value'],
    ['  ', 1, 3, 'the text ends before the value'],
  ])('in %j is line %i, column %i', (text, line, column, reason) => {
    expect(fault(text)).toEqual({ line, column, reason });
  });

  it('exists exactly where JSON.parse fails', () => {
    const piece = fc.constantFrom(
      ...[
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"a"',
        '"',
        '1',
        '-',
        '0',
        '.5',
        'e3',
        'true',
        'nul',
        ' ',
        '\n',
        '\\',
        '\\u00e9',
        '\u0001',
        'é',
      ],
    );
    const mixed = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(mixed, (text) => (fault(text) === undefined) === isJson(text)),
      { numRuns: propertyRuns(4_000) },
    );
    fc.assert(fc.property(fc.json(), (text) => fault(text) === undefined));
    const damaged = fc.tuple(fc.json(), fc.nat(), fc.string({ maxLength: 2 }));
    fc.assert(
      fc.property(damaged, ([text, place, insert]) => {
        const at = place % (text.length + 1);
        const other = text.slice(0, at) + insert + text.slice(at + 1);
        return (fault(other) === undefined) === isJson(other);
      }),
      { numRuns: propertyRuns(1_000) },
    );
  });

  it('in a large text is found in steps', () => {
    const text = `[${'{"name": "value"},\n'.repeat(50_000)}{"name" "value"}]`;
    const steps = findJsonFault(text);
    let count = 0;
    let result = steps.next();
    for (; result.done !== true; result = steps.next()) count++;
    expect(count).toBeGreaterThan(10);
    expect(result.value).toMatchObject({ line: 50_001, column: 9 });
  });

  it('is found in a deeply nested text', () => {
    expect(fault('['.repeat(200_000))).toMatchObject({ reason: 'the text ends before the closing ]' });
  });
});
