import { DictionaryCache, newWordColumns } from './dictionary-cache.js';

describe('known words', () => {
  const words = new DictionaryCache();

  it('are those that were added, of one content type of one tenant', () => {
    expect(words.unknown('ten_a', 'type', ['b', 'a'])).toEqual(['a', 'b']);
    words.add('ten_a', 'type', ['a']);
    expect(words.unknown('ten_a', 'type', ['b', 'a'])).toEqual(['b']);
    expect(words.unknown('ten_a', 'other', ['b', 'a'])).toEqual(['a', 'b']);
    expect(words.unknown('ten_b', 'type', ['b', 'a'])).toEqual(['a', 'b']);
  });

  it('are given to a statement with their lengths in characters', () => {
    expect(newWordColumns(['a', 'größe', '😀b'])).toEqual({ newWords: ['a', 'größe', '😀b'], newLengths: [1, 5, 2] });
    expect(newWordColumns([])).toEqual({ newWords: [], newLengths: [] });
  });

  it('are told apart, also if they have the same letters', () => {
    const many = Array.from({ length: 90_000 }, (_, index) => index.toString(36).padStart(4, '0'));
    words.add('ten_c', 'type', many.slice(0, 45_000));
    expect(words.unknown('ten_c', 'type', many)).toEqual(many.slice(45_000));
  });

  it('are forgotten if there are too many, so that their memory is limited', () => {
    const many = (type: string) => Array.from({ length: 90_000 }, (_, index) => `${type} ${index}`);
    for (let type = 0; type < 8; type++) words.add('ten_d', `type${type}`, many(`${type}`));
    expect(words.unknown('ten_d', 'type0', many('0'))).toHaveLength(90_000);
    expect(words.unknown('ten_d', 'type7', many('7'))).toHaveLength(0);
    expect(words.unknown('ten_a', 'type', ['a'])).toEqual([]);
    words.add('ten_d', 'type7', ['new', ...many('more').slice(0, 20_000)]);
    expect(words.unknown('ten_d', 'type7', ['new', ...many('7')])).toHaveLength(90_000);
  });
});
