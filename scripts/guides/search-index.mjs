/** The index of the guides' search. `src/guides/guide-search.ts` looks words up in it. */
import stemr from 'stemr';

/** How much a word counts by its place. In the text, each further occurrence counts less. */
const IN_TITLE = 12;
const IN_HEADING = 8;
/** What an item of a list explains. */
const AS_TERM = 8;
const IN_TEXT = 4;
/** How the code works, why, and how to change it interests fewer readers than how the service behaves. */
const FOR_CONTRIBUTORS = /^(decisions|explanation|how-to\/develop)\b/;

const WORD = /[\p{L}\p{N}_]+/gu;

/**
 * Returns `sections` (the page's path, its title, the heading and its `id`, the text) and `words`: for each stem, the numbers of the sections
 * that have it, each followed by a weight.
 */
export function searchIndex(pages) {
  const sections = [];
  const words = new Map();
  for (const { path, title, sections: parts } of pages) {
    for (const { id, heading, text, terms } of parts) {
      if (id === '' && text === '') continue;
      const weights = weightsOf({ isStart: id === '', title, heading, text, terms });
      const factor = FOR_CONTRIBUTORS.test(path) ? 0.3 : 1;
      for (const [word, weight] of weights) {
        const postings = words.get(word) ?? [];
        postings.push(sections.length, Math.round(weight * factor * 10) / 10);
        words.set(word, postings);
      }
      sections.push({ path, title, id, heading, text });
    }
  }
  return { sections, words: Object.fromEntries([...words].sort(([a], [b]) => (a < b ? -1 : 1))) };
}

/** A word of the page's title counts a little in each of its sections, so that a search may name the page and the section. */
function weightsOf({ isStart, title, heading, text, terms }) {
  const weights = new Map();
  const add = (word, weight) => weights.set(word, (weights.get(word) ?? 0) + weight);
  for (const word of stems(title)) add(word, isStart ? IN_TITLE : 1);
  for (const word of stems(heading)) add(word, IN_HEADING);
  for (const word of new Set(stems(terms))) add(word, AS_TERM);
  const counts = new Map();
  for (const word of stems(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  for (const [word, count] of counts) add(word, (IN_TEXT * count) / (count + 2));
  return weights;
}

/** The stems of a text. A name such as `per_page` is a word, and so are its parts. */
function stems(text) {
  return [...text.toLowerCase().matchAll(WORD)].flatMap(([word]) =>
    [word, ...(word.includes('_') ? word.split('_').filter(Boolean) : [])].map((each) => stemr.stem(each)),
  );
}
