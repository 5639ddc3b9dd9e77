import fc from 'fast-check';
import { runAtOnce } from '../admission/sliced-work.js';
import { selectMembers } from './select-members.js';

const select = (json: string, ...names: string[]) => runAtOnce(selectMembers(json, (name) => names.includes(name)));

describe('selectMembers', () => {
  it('keeps the members as they are written, in their order', () => {
    const json = '{"a": 1.00 ,"b":[{"a":1},"}"],"c":12345678901234567890,"d":"\\"a\\":1,\\\\"}';
    expect(select(json, 'c', 'a')).toBe('{"a": 1.00,"c":12345678901234567890}');
    expect(select(json, 'b')).toBe('{"b":[{"a":1},"}"]}');
    expect(select(json, 'd')).toBe('{"d":"\\"a\\":1,\\\\"}');
    expect(select(json, 'e')).toBe('{}');
    expect(select(json)).toBe('{}');
    expect(select('{}', 'a')).toBe('{}');
  });

  it('selects the same values as an object that was parsed', () => {
    const name = fc.constantFrom<string>('a', 'b', 'c', '"', '\\', '{', 'é');
    fc.assert(
      fc.property(fc.dictionary(name, fc.jsonValue()), fc.uniqueArray(name), fc.boolean(), (values, names, spaced) => {
        const json = JSON.stringify(values, undefined, spaced ? 2 : 0);
        const expected = Object.entries(values).filter(([one]) => names.includes(one));
        expect(JSON.parse(select(json, ...names))).toEqual(JSON.parse(JSON.stringify(Object.fromEntries(expected))));
      }),
    );
  });

  it('reads a large value in steps', () => {
    const steps = selectMembers(
      JSON.stringify({ list: Array.from({ length: 100_000 }, (_, n) => n), last: 1 }),
      (name) => name === 'last',
    );
    let count = 0;
    let step = steps.next();
    for (; !step.done; step = steps.next()) count++;
    expect([step.value, count > 5]).toEqual(['{"last":1}', true]);
  });
});
