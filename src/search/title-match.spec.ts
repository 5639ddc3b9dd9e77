import { readSearch } from './search-query.js';
import { titleMatch } from './title-match.js';

function matchOf(search: string, stem?: (word: string) => string) {
  const [[term] = []] = readSearch(search) ?? [];
  if (!term) throw new Error(`${search} has no term.`);
  return titleMatch({ partition: 'p', stem }, term);
}

const tiers = (word: string, end = '') =>
  `(${['A', 'B', 'C', 'D', 'E', 'F'].map((tier) => `'p=${tier}${word}'${end}`).join(' | ')})`;

describe('the titles that have a term', () => {
  it('are found by the tiers of a word, and may lack words that the vector does not hold', () => {
    expect(matchOf('Ada')).toEqual({ found: `${tiers('ada')} | 'p=W'`, certain: tiers('ada') });
    expect(matchOf('ad*').certain).toBe(tiers('ad', ':*'));
  });

  it('are the same for an excluded term', () => {
    expect(matchOf('-ada')).toEqual(matchOf('ada'));
    expect(matchOf('-"ada king"')).toEqual(matchOf('"ada king"'));
  });

  it('are found by the stem of a word unless it is quoted', () => {
    const stem = (word: string) => word.replace(/s$/, '');
    expect(matchOf('adas', stem).certain).toContain("'p=A%ada'");
    expect(matchOf('"adas"', stem).certain).toBe(tiers('adas'));
  });

  it('have the positions of a phrase, or may have it if the vector has gaps', () => {
    const { found, certain } = matchOf('"ada king"');
    expect(certain).toBe("('pada':A) <1> ('pking':A)");
    expect(found).toBe(`(${tiers('ada')} & ${tiers('king')}) & ((${certain}) | 'p=P') | 'p=W'`);
    expect(matchOf('r&d-team').certain).toContain('<2>');
  });
});
