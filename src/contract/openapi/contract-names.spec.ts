import fc from 'fast-check';
import { ENDINGS, nameOfSlug } from './contract-names.js';

const NONE = new Set<string>();

describe('nameOfSlug', () => {
  it.each([
    ['post', 'Post'],
    ['blog-post', 'BlogPost'],
    ['a-1', 'A_1'],
    ['a1', 'A1'],
    ['2024', '_2024'],
    ['post-create', 'PostCreate_'],
  ])('names %s %s', (slug, name) => {
    expect(nameOfSlug(slug, NONE)).toBe(name);
  });

  it('keeps away from the components of the service', () => {
    expect(nameOfSlug('event', new Set(['EventDraft']))).toBe('Event_');
  });

  it('gives no two components of different slugs the same name', () => {
    const words = fc.constantFrom(
      'a',
      'b',
      '1',
      'a1',
      'create',
      'created',
      'update',
      'save',
      'new',
      'entry',
      'page',
      'fields',
    );
    const slugs = fc.array(words, { minLength: 1, maxLength: 4 }).map((all) => all.join('-'));
    fc.assert(
      fc.property(
        slugs,
        slugs,
        fc.constantFrom(...ENDINGS),
        fc.constantFrom(...ENDINGS),
        (one, other, ending, last) => {
          fc.pre(one !== other || ending !== last);
          expect(nameOfSlug(one, NONE) + ending).not.toBe(nameOfSlug(other, NONE) + last);
        },
      ),
      { numRuns: 5_000 },
    );
  });
});
