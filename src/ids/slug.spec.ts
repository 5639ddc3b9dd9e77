import fc from 'fast-check';
import { freeSlug, MAX_SLUG_LENGTH, SLUG_PATTERN, slugify, slugStem } from './slug.js';

describe('slugs', () => {
  it.each([
    ['Über uns', 'uber-uns'],
    ['  Hello,   World! ', 'hello-world'],
    ['Straße & Łódź', 'strasse-lodz'],
    ['日本', 'fallback'],
    ['--', 'fallback'],
    ['C++ / C#', 'c-c'],
  ])('of %s is %s', (name, slug) => {
    expect(slugify(name, 'fallback')).toBe(slug);
  });

  it('of any name keep to the pattern and the length', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
        const slug = slugify(name, 'fallback');
        return SLUG_PATTERN.test(slug) && slug.length <= MAX_SLUG_LENGTH;
      }),
    );
  });

  it('give way to those that are taken, and stay slugs', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 30 }), (length, count) => {
        const slug = slugify('ab-'.repeat(40).slice(0, length), 'fallback');
        const taken = new Set<string>();
        for (let index = 0; index < count; index++) {
          const free = freeSlug(slug, taken);
          expect(taken.has(free)).toBe(false);
          expect(free).toMatch(SLUG_PATTERN);
          expect(free.length).toBeLessThanOrEqual(MAX_SLUG_LENGTH);
          expect(free.startsWith(slugStem(slug).replace(/-$/, ''))).toBe(true);
          taken.add(free);
        }
      }),
    );
  });
});
