import fc from 'fast-check';
import { Problem } from '../../errors/problem.js';
import { readReading } from './reading-request.js';

describe('readReading', () => {
  it('returns undefined without include and select', () => {
    expect(readReading({ sort: 'title' })).toBeUndefined();
  });

  it('splits paths at commas and names at dots; an empty parameter has no paths', () => {
    expect(readReading({ include: 'author,author.company', select: 'title' })).toEqual({
      include: [['author'], ['author', 'company']],
      select: [['title']],
    });
    expect(readReading({ include: '', select: '' })).toEqual({ include: [], select: [] });
    expect(readReading({ select: 'a.b.c.d' })).toEqual({ include: undefined, select: [['a', 'b', 'c', 'd']] });
  });

  it('refuses more than 10 paths, very many names and very long parameters', () => {
    const include = (paths: string[]) => () => readReading({ include: paths.join() });
    expect(include(Array.from({ length: 10 }, () => 'a.b.c'))).not.toThrow();
    expect(include(Array.from({ length: 11 }, () => 'a'))).toThrow(Problem);
    expect(include([Array.from({ length: 31 }, () => 'a').join('.')])).toThrow(Problem);
    expect(() => readReading({ select: 'a'.repeat(8_193) })).toThrow(Problem);
  });

  it('takes any text, or throws a problem', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (include, select) => {
        try {
          readReading({ include, select });
        } catch (error) {
          expect(error).toBeInstanceOf(Problem);
        }
      }),
    );
  });
});
