import fc from 'fast-check';
import { FreeSlug } from './free-slug.js';
import { MAX_SLUG_LENGTH, numberedSlug, SLUG_PATTERN, slugify } from './slug.js';

describe('slugs', () => {
  it.each([
    ['Über uns', 'uber-uns'],
    ['  Hello,   World! ', 'hello-world'],
    ['Straße & Łódź', 'strasse-lodz'],
    ['日本', 'fallback'],
    ['--', 'fallback'],
    ['C++ / C#', 'c-c'],
  ])('the slug of "%s" is "%s"', (name, slug) => {
    expect(slugify(name, 'fallback')).toBe(slug);
  });

  it('of any name match the pattern and the maximum length', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
        const slug = slugify(name, 'fallback');
        return SLUG_PATTERN.test(slug) && slug.length <= MAX_SLUG_LENGTH;
      }),
    );
  });

  it('with different numbers are valid and different', () => {
    const numbers = fc.uniqueArray(fc.integer({ min: 2, max: 10 ** 9 }), { minLength: 2, maxLength: 20 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), numbers, (length, chosen) => {
        const slug = slugify('ab-'.repeat(40).slice(0, length), 'fallback');
        const numbered = chosen.map((number) => numberedSlug(slug, number));
        expect(new Set(numbered).size).toBe(chosen.length);
        for (const one of numbered) {
          expect(one).toMatch(SLUG_PATTERN);
          expect(one.length).toBeLessThanOrEqual(MAX_SLUG_LENGTH);
        }
      }),
    );
  });

  describe('that are taken are replaced by a free one', () => {
    /** Returns the free slug and the number of lookups for it. */
    const find = async (taken: ReadonlySet<string>) => {
      let asked = 0;
      const free = new FreeSlug('about', (slugs) => {
        asked++;
        return Promise.resolve(new Set(slugs.filter((slug) => taken.has(slug))));
      });
      return { slug: await free.next(), asked };
    };
    const numbers = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, index) => numberedSlug('about', from + index));

    it('with the lowest free number', async () => {
      expect(await find(new Set())).toEqual({ slug: 'about-2', asked: 1 });
      expect(await find(new Set([...numbers(2, 40), ...numbers(43, 60)]))).toEqual({ slug: 'about-41', asked: 1 });
    });

    it('after the last taken number, with few lookups', async () => {
      for (const last of [101, 102, 200, 202, 1_000, 5_000]) {
        const { slug, asked } = await find(new Set(numbers(2, last)));
        expect(slug).toBe(`about-${last + 1}`);
        expect(asked).toBeLessThan(25);
      }
    });

    it('for any set of taken numbers', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.integer({ min: 100, max: 400 })), async (others) => {
          const taken = new Set([...numbers(2, 101), ...others.map((number) => numberedSlug('about', number))]);
          expect(taken).not.toContain((await find(taken)).slug);
        }),
      );
    });
  });
});
