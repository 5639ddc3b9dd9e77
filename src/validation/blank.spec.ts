import { isBlank, trimBlanks } from './blank.js';

const UNSEEN = [
  ['a space', ' '],
  ['a no-break space', '\u00a0'],
  ['an ideographic space', '\u3000'],
  ['a zero-width space', '\u200b'],
  ['a zero-width joiner', '\u200d'],
  ['a zero-width non-joiner', '\u200c'],
  ['a byte order mark', '\ufeff'],
  ['a word joiner', '\u2060'],
  ['a soft hyphen', '\u00ad'],
  ['a direction mark', '\u200f'],
  ['a direction override', '\u202e'],
  ['a direction isolate', '\u2067'],
  ['an Arabic letter mark', '\u061c'],
  ['a Hangul filler', '\u3164'],
  ['a halfwidth Hangul filler', '\uffa0'],
  ['a Hangul choseong filler', '\u115f'],
  ['a blank of Braille', '\u2800'],
  ['a combining grapheme joiner', '\u034f'],
  ['a Mongolian vowel separator', '\u180e'],
  ['a variation selector', '\ufe0f'],
  ['a variation selector of the supplement', '\u{e0100}'],
  ['a tag', '\u{e0067}'],
  ['a control character', '\u0007'],
  ['an annotation', '\ufff9'],
] as const;

describe('a blank text', () => {
  it.each(UNSEEN)('may be %s, alone or with others', (_what, character) => {
    expect(isBlank(character)).toBe(true);
    expect(isBlank(` ${character}\u200b${character}`)).toBe(true);
    expect(trimBlanks(` ${character} `)).toBe('');
    expect(isBlank(`${character}a`)).toBe(false);
  });

  it('has nothing that can be seen', () => {
    for (const text of ['.', '0', '-', '\u0301', '👍🏽', '\u{1f3fd}', '\u0600', '￼'])
      expect([text, isBlank(text)]).toEqual([text, false]);
    expect(isBlank('')).toBe(true);
  });
});

describe('a trimmed text', () => {
  it('keeps joiners, selectors and tags of words and emoji', () => {
    for (const text of [
      '❤️',
      '👩‍💻',
      '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
      '1️⃣',
      'می‌خواهم',
      'खाना‌',
      'क्‍ष',
      'a \u2067b\u2069',
      'a\u00adb',
      'co\u200boperate',
    ]) {
      expect(trimBlanks(`\ufeff \u200b${text}\u200b\u200e\u3164\n`)).toBe(text);
    }
  });

  it('takes a time that grows with its length', () => {
    const text = `a${'\u200b'.repeat(500_000)}b`;
    expect(trimBlanks(`${text}${'\u3164'.repeat(500_000)}`)).toBe(text);
  });
});
