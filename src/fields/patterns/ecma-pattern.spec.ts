import fc from 'fast-check';
import { RE2JS } from 're2js';
import { ecmaPattern } from './ecma-pattern.js';

describe('ecmaPattern', () => {
  it.each([
    ['^[A-Z]{2}-[0-9]+$', '^[A-Z]{2}-[0-9]+$'],
    ['a.b', String.raw`a[^\n]b`],
    [String.raw`\s\S`, String.raw`[\t\n\f\r ][^\t\n\f\r ]`],
    [String.raw`[\s\-x]`, String.raw`[\t\n\f\r \-x]`],
    [String.raw`\Aa\@b\z`, '^a@b$'],
    ['(?P<year>[0-9]{4})', '(?<year>[0-9]{4})'],
    [String.raw`\x{1f600}|\p{Lu}`, String.raw`\u{1f600}|\p{Lu}`],
  ])('translates %s', (source, pattern) => {
    expect(ecmaPattern(source)).toBe(pattern);
  });

  it.each([
    '(?i)a',
    '[[:alpha:]]',
    String.raw`\p{Greek}`,
    String.raw`\pL`,
    '[]a]',
    String.raw`\Qa.b\E`,
    String.raw`[\S]`,
    '{,5}',
  ])('has no translation of %s', (source) => {
    expect(ecmaPattern(source)).toBeUndefined();
  });

  it('matches what the pattern matches', () => {
    const pieces = [
      'a',
      'b',
      '.',
      '^',
      '$',
      '|',
      '(',
      '(?:',
      ')',
      '*',
      '+',
      '?',
      '[',
      '[^',
      ']',
      '-',
      '\\s',
      '\\S',
      '\\d',
      '\\w',
      '\\b',
      '\\-',
      '\\.',
    ];
    const patterns = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 8 }).map((all) => all.join(''));
    const texts = fc.array(fc.constantFrom('a', 'b', '-', '.', ' ', '\n', '\r', '\u00a0', '\u2028', '1', 'é', '😀'), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(patterns, texts, (source, characters) => {
        const text = characters.join('');
        const translated = ecmaPattern(source);
        const engine = compiled(source);
        if (translated === undefined || !engine) return;
        expect([source, text, new RegExp(translated, 'u').test(text)]).toEqual([source, text, engine.test(text)]);
      }),
      { numRuns: 3_000 },
    );
  });
});

function compiled(source: string): RE2JS | undefined {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(source));
  } catch {
    return undefined;
  }
}
