/**
 * The documents of `npm run bench -- search`: a pure function of a document's number. Word frequencies follow Zipf's law and lengths a
 * log-normal distribution, as in collections of real documents. A title consists of rare words of its own.
 */
import { randomFrom, word } from './data.mjs';

const VOCABULARY = 100_000;
/** Words of a title are as rare as this rank or rarer. */
const RARE = 300;
const MEDIAN_LENGTH = 400;
const LENGTHS = [50, 30_000];
/** Words between two headings. */
const SECTION = 250;
const PARAGRAPH = 60;

/** A word in every document, and one in every hundredth. */
export const WORD_IN_ALL = 'trivet';
export const WORD_IN_PERCENT = 'percentile';

export const FIELDS = [
  { name: 'title', type: 'text', required: true },
  { name: 'body', type: 'rich_text' },
];

/** The title and the words of a document. Titles are unique, because the last word has the number. */
export function documentOf(number) {
  const random = randomFrom(number * 2 + 77);
  const rare = () => word(Math.floor(RARE * (VOCABULARY / RARE) ** random()));
  const title = Array.from({ length: 2 + Math.floor(random() * 4) }, rare);
  const length = lengthOf(random);
  const words = Array.from({ length }, () => word(Math.floor(VOCABULARY ** random()) - 1));
  // A text is about what its title says.
  for (const one of title) for (let count = Math.ceil(length / 200); count > 0; count--) put(words, random, one);
  put(words, random, WORD_IN_ALL);
  if (number % 100 === 0) put(words, random, WORD_IN_PERCENT);
  return { title: `${title.join(' ')} n${number.toString(36)}`, words };
}

/** The values of the entry. */
export function valuesOf(number) {
  const { title, words } = documentOf(number);
  const parts = [];
  for (let from = 0; from < words.length; from += PARAGRAPH) {
    if (from % SECTION < PARAGRAPH) parts.push(`<h2>${words.slice(from, from + 3).join(' ')}</h2>`);
    parts.push(`<p>${words.slice(from % SECTION < PARAGRAPH ? from + 3 : from, from + PARAGRAPH).join(' ')}</p>`);
  }
  return { title, body: parts.join('') };
}

/** Four words that stand next to each other somewhere in a document. */
export function phraseOf(number, random) {
  const { words } = documentOf(number);
  const from = Math.floor(random() * (words.length - 4));
  return words.slice(from, from + 4);
}

function lengthOf(random) {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Math.round(Math.min(LENGTHS[1], Math.max(LENGTHS[0], MEDIAN_LENGTH * Math.exp(normal))));
}

function put(words, random, one) {
  words[Math.floor(random() * words.length)] = one;
}
