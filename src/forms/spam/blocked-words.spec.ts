import { runAtOnce } from '../../admission/sliced-work.js';
import { BlockedWords } from './blocked-words.js';

const isIn = (words: string[], ...texts: string[]) => runAtOnce(new BlockedWords(words).areInSliced(texts));

describe('blocked words', () => {
  it.each([
    ['casino', 'The CASINO is open.'],
    ['Casino', 'casino'],
    ['uber', 'Wir sind Über-Leute'],
    ['café', 'CAFE!'],
    ['straße', 'STRASSE'],
    ['casino', 'cas\u200dino'],
    ['casino', 'ca\u200bsi\u00adno'],
    ['buy now', 'please buy\n now, today'],
    ['buy now', 'buy buy now'],
    ['c++', 'I write C++.'],
    ['$$$', 'earn $$$$ here'],
    ['赌场', '最好的赌场在这里'],
    ['a b c', 'a b a b c'],
  ])('find %j in %j', (word, text) => {
    expect(isIn(['nothing', word], 'Hello', text)).toBe(true);
  });

  it.each([
    ['casino', 'casinos'],
    ['casino', 'occasino'],
    ['casino', 'casino_royale'],
    ['casino', 'cas ino'],
    ['buy now', 'buy it now'],
    ['buy now', 'buy'],
    ['c++', 'c+'],
  ])('do not find %j in %j', (word, text) => {
    expect(isIn([word], text)).toBe(false);
  });

  it('do not go from one value to the next', () => {
    expect(isIn(['buy now'], 'buy', 'now')).toBe(false);
  });

  it('take a short time for the longest text and the worst words', () => {
    const words = Array.from({ length: 500 }, (_value, index) => `${'a '.repeat(48)}${index}`);
    const steps = new BlockedWords(words).areInSliced(['a '.repeat(130_000)]);
    let longest = 0;
    for (let begun = performance.now(), done = false; !done; begun = performance.now()) {
      done = steps.next().done === true;
      longest = Math.max(longest, performance.now() - begun);
    }
    expect(longest).toBeLessThan(1_000);
  });
});
