/**
 * The benchmark's data: a pure function of an entry's number, so that it is the same in every run, at every size and in both servers. Word
 * frequencies are skewed as in a natural language. An entry has about 1.7 KB of JSON.
 */

const CONSONANTS = [...'bdfgklmnprstvz'];
const VOWELS = [...'aeiou'];
const SYLLABLES = CONSONANTS.flatMap((consonant) => VOWELS.map((vowel) => consonant + vowel));
const VOCABULARY = 20_000;
const CATEGORIES = ['news', 'guides', 'reviews', 'recipes', 'travel', 'science', 'sports', 'music', 'film', 'books'];
const START = Date.UTC(2025, 0, 1);
const DAY = 86_400_000;

/** A word in every entry. */
export const COMMON_WORD = 'trivet';
export const RARE_WORDS = 100;
export const ENTRIES_WITH_A_RARE_WORD = 3;
export const MAX_PRICE = 100_000;
export const STOCKS = 1_000;

/** The field definitions of the measured content type. */
export const FIELDS = [
  { name: 'title', type: 'text', required: true, max: 200 },
  { name: 'subtitle', type: 'text' },
  { name: 'slug', type: 'text', pattern: '^[a-z0-9-]+$' },
  { name: 'body', type: 'rich_text', required: true },
  { name: 'price', type: 'number', min: 0 },
  { name: 'stock', type: 'integer', min: 0 },
  { name: 'featured', type: 'boolean' },
  { name: 'published_on', type: 'date' },
  { name: 'category', type: 'select', options: CATEGORIES },
  { name: 'tags', type: 'text', multiple: true },
  { name: 'cover', type: 'media' },
];

export const FORM_FIELDS = [
  { name: 'name', type: 'text', required: true },
  { name: 'email', type: 'email', required: true },
  { name: 'topic', type: 'select', options: ['sales', 'support', 'press'] },
  { name: 'message', type: 'textarea', required: true },
];

/** Pseudo-random numbers from 0 to 1 (mulberry32). */
export function randomFrom(seed) {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A word by its rank, the most frequent first. The first thousand are short. */
export function word(rank) {
  let left = rank < 1_000 ? (rank * 37 + 11) % 4_900 : (rank * 7_919 + 13) % 343_000;
  let text = '';
  for (let syllables = rank < 1_000 ? 2 : 3; syllables > 0; syllables--) {
    text += SYLLABLES[left % 70];
    left = Math.floor(left / 70);
  }
  return text;
}

/** A word in about one entry of a hundred; with many entries, in one of three hundred. */
export function midFrequencyWord(random, entries) {
  return word((entries > 50_000 ? 18_500 : 2_500) + Math.floor(random() * 1_500));
}

/** A word in exactly three entries, whose numbers are below 300. */
export function rareWord(index) {
  return `zq${word(index)}`;
}

/** The ID of an entry: a version 7 UUID that grows with the entry's number. */
export function uuidOf(number) {
  const time = (START + number * 1_000).toString(16).padStart(12, '0');
  const rest = Array.from({ length: 2 }, (_, part) => hex(Math.imul(number + 1, 0x9e3779b1 + part * 2)));
  return `${time.slice(0, 8)}-${time.slice(8)}-7${rest[0].slice(0, 3)}-8${rest[0].slice(3, 6)}-${rest[1]}${rest[0].slice(4)}`;
}

export function statusOf(number) {
  return number % 5 === 0 ? 'draft' : 'published';
}

/** The title of an entry. It contains the entry's number, so it is unique. */
export function titleOf(number) {
  const some = words(randomFrom(number * 2 + 1), 3);
  return `${capital(some[0])} ${some[1]} ${some[2]} ${number}`;
}

/** The field values of an entry. */
export function valuesOf(number) {
  const random = randomFrom(number * 2);
  const title = titleOf(number);
  return {
    title,
    subtitle: sentence(random, 6),
    slug: title.toLowerCase().replaceAll(' ', '-'),
    body: html(random, number),
    price: Math.floor(random() * MAX_PRICE * 100) / 100,
    stock: Math.floor(random() * STOCKS),
    featured: random() < 0.1,
    published_on: new Date(START - Math.floor(random() * 3_650) * DAY).toISOString().slice(0, 10),
    category: CATEGORIES[Math.floor(random() * CATEGORIES.length)],
    tags: [...new Set(Array.from({ length: 3 }, () => word(4_000 + Math.floor(random() * 200))))],
    cover: { url: `https://media.example/covers/${number}.jpg`, alt: sentence(random, 5) },
  };
}

/** Entries of about 150 bytes of JSON. */
export const SHORT_FIELDS = [
  { name: 'title', type: 'text', required: true },
  { name: 'body', type: 'rich_text' },
  { name: 'price', type: 'number' },
];

export function shortValuesOf(number) {
  const random = randomFrom(number * 2 + 3);
  return { title: titleOf(number), body: `<p>${sentence(random, 12)}</p>`, price: Math.floor(random() * MAX_PRICE) };
}

/** Entries with references, and the people that they lead to: a tenth as many. */
export const PERSON_FIELDS = [
  { name: 'name', type: 'text' },
  { name: 'team', type: 'integer' },
];
export const linkFields = (personType) => [
  { name: 'title', type: 'text' },
  { name: 'author', type: 'reference', content_type: personType },
  { name: 'editor', type: 'reference', content_type: personType },
];
export const LINKS_OF_A_PERSON = 10;
export const TEAMS = 1_000;

export function personOf(number) {
  return { name: `Person ${number}`, team: number % TEAMS };
}

/** The values of an entry that refers to two of the people so far. `personId` returns the ID of a person. */
export function linkOf(number, personId) {
  const random = randomFrom(number * 2 + 7);
  const people = Math.ceil((number + 1) / LINKS_OF_A_PERSON);
  const someone = () => personId(Math.floor(random() * people));
  return { title: titleOf(number), author: someone(), editor: someone() };
}

/** The body of an update: a text and a number, so that search and two indexes change. */
export function patchOf(random) {
  return { fields: { subtitle: sentence(random, 6), price: Math.floor(random() * MAX_PRICE * 100) / 100 } };
}

/** The field values of a submission. */
export function submissionOf(number) {
  const random = randomFrom(number * 2 + 7);
  const [first, last] = words(random, 2);
  return {
    name: `${capital(first)} ${capital(last)}`,
    email: `${first}.${last}${number}@example.com`,
    topic: FORM_FIELDS[2].options[number % 3],
    message: sentence(random, 40),
  };
}

/** A category, which one entry of ten has. */
export function someCategory(random) {
  return CATEGORIES[Math.floor(random() * CATEGORIES.length)];
}

/** About 1.2 KB of HTML: a heading, two paragraphs with inline markup, a list. */
function html(random, number) {
  const rare = number < RARE_WORDS * ENTRIES_WITH_A_RARE_WORD ? ` ${rareWord(number % RARE_WORDS)}` : '';
  const list = Array.from({ length: 3 }, () => `<li>${sentence(random, 8)}</li>`).join('');
  return (
    `<h2>${sentence(random, 5)}</h2><p>${sentence(random, 25)} <strong>${COMMON_WORD}${rare}</strong> ` +
    `${sentence(random, 30)}</p><p>${sentence(random, 20)} <a href="https://example.com/${number}">` +
    `${sentence(random, 3)}</a> ${sentence(random, 28)}</p><ul>${list}</ul><p>${sentence(random, 57)}</p>`
  );
}

function sentence(random, length) {
  return `${capital(words(random, length).join(' '))}.`;
}

function words(random, count) {
  return Array.from({ length: count }, () => word(Math.floor(VOCABULARY * random() ** 3)));
}

function capital(text) {
  return text[0].toUpperCase() + text.slice(1);
}

function hex(number) {
  return (number >>> 0).toString(16).padStart(8, '0');
}
