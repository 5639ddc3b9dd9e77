import { listed, nearestName, suggestion } from './suggestion.js';

describe('a suggestion', () => {
  const known = ['page', 'per_page', 'cursor', 'sort', 'search'];

  it.each([
    ['perpage', 'per_page'],
    ['PAGE', 'page'],
    ['sorts', 'sort'],
    ['serch', 'search'],
    ['crusor', 'cursor'],
  ])('for %s is %s', (name, nearest) => {
    expect(nearestName(name, known)).toBe(nearest);
    expect(suggestion(name, known)).toBe(` Did you mean ${nearest}?`);
  });

  it.each(['', 'x', 'elephant', 'q', 'p'.repeat(5_000)])('is missing where no name is similar: %s', (name) => {
    expect(suggestion(name, known)).toBe('');
  });

  it('is missing without known names', () => expect(suggestion('page', [])).toBe(''));
});

describe('a list of names', () => {
  it('has at most 30', () => {
    const names = Array.from({ length: 100 }, (_, index) => `f${index}`);
    expect(listed(names)).toMatch(/^f0, .*, f29 and 70 more$/);
    expect(listed(['a', 'b'])).toBe('a, b');
  });
});
