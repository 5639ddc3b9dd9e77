import { COUNTED } from './page-texts.js';
import { LANGUAGES, Words } from './words.js';

describe('the words of pages', () => {
  it.each(LANGUAGES)('in %s have the plural forms of the language', (language) => {
    const words = new Words(language);
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    const seen = new Set<string>();
    for (const name of COUNTED) {
      for (const count of [0, 1, 2, 3, 5, 11, 21, 100, 1.5, 1_000_000]) {
        const text = words.counted(name, count, { min: '1' });
        expect(text).not.toMatch(/^$|[{}]/);
        seen.add(new Intl.PluralRules(language).select(count));
      }
    }
    expect([...seen].sort()).toEqual([...pluralCategories].sort());
  });

  it('show counts and numbers as the language writes them', () => {
    expect(new Words('de').counted('too_long', 20_000)).toBe('Bitte geben Sie höchstens 20.000 Zeichen ein.');
    expect(new Words('en').counted('too_short', 1)).toBe('Please enter at least 1 character.');
    expect(new Words('pl').counted('too_short', 3)).toBe('Proszę wpisać co najmniej 3 znaki.');
    expect(new Words('pl').counted('too_short', 12)).toBe('Proszę wpisać co najmniej 12 znaków.');
    expect(new Words('ar').counted('too_short', 2)).toBe('يرجى إدخال حرفين على الأقل.');
    expect(new Words('de').number(-1.5)).toBe('-1,5');
    expect(new Words('en').number(0.1)).toBe('0.1');
  });

  it('round sizes down', () => {
    const sizes = (language: 'en' | 'fr', ...counts: number[]): string[] =>
      counts.map((count) => new Words(language).size(count).replace(/\s/g, ' '));
    expect(sizes('en', 1_000_000, 10 * 1024 * 1024, 1_600_000, 1_000, 999)).toEqual([
      '1 MB',
      '10 MB',
      '1.6 MB',
      '1 kB',
      '999 bytes',
    ]);
    expect(sizes('fr', 1_999_999, 1, 999)).toEqual(['1,9 Mo', '1 octet', '999 octets']);
  });

  it('of a form replace those of every language, and nothing in them is filled in', () => {
    const words = new Words('ja', { submit: 'Go {name}', required: 'Needed' });
    expect([words.text('submit', { name: 'x' }), words.text('required')]).toEqual(['Go {name}', 'Needed']);
  });
});
