import { escapeHtml } from '../fields/formats/escape-html.js';
import type { FoundSection, GuideSearch } from './guide-search.js';

const WORD = /[\p{L}\p{N}_]+/gu;
/** UTF-16 units of text that a result shows, and how many of them stand before the first word that was found. */
const SHOWN = 240;
const BEFORE = 60;
/** Places of a text from which an excerpt may begin, at most. */
const MAX_STARTS = 40;

/** Returns the page with the results of a search. */
export function searchPage(search: GuideSearch, query: string): string {
  const parts = { query: escapeHtml(query), results: resultsOf(search, query) };
  // The replacement is a function, because `$&` in a text would mean something.
  return search.template.replace(/\{\{(query|results)\}\}/g, (_, name: keyof typeof parts) => parts[name]);
}

function resultsOf(search: GuideSearch, query: string): string {
  if (!query) return '<p>Write one or several words in the box above.</p>';
  const found = search.find(query);
  if (found.length === 0) {
    return `<p>Nothing was found for <strong>${escapeHtml(query)}</strong>. Try fewer or other words, or the list of all guides.</p>`;
  }
  return `<p>${found.length === 1 ? '1 result' : `${found.length} results`} for <strong>${escapeHtml(query)}</strong></p>
<ol class="results">
${found.map(resultOf).join('\n')}
</ol>`;
}

function resultOf({ path, title, id, heading, text, isMatch }: FoundSection): string {
  const name = heading ? `${title}: ${heading}` : title;
  return `<li><a href="./${path}${id && `#${escapeHtml(id)}`}">${escapeHtml(name)}</a>
<p>${marked(excerpt(text, isMatch), isMatch)}</p></li>`;
}

/** Returns the part of the text that has the most of the words sought. It begins and ends between words. */
function excerpt(text: string, isMatch: (word: string) => boolean): string {
  const matches = [...text.matchAll(WORD)].filter(([word]) => isMatch(word)).slice(0, MAX_STARTS);
  const countFrom = (start: number) =>
    new Set(
      matches
        .filter(({ index }) => index >= start && index < start + SHOWN - BEFORE)
        .map(([word]) => word.toLowerCase()),
    ).size;
  const starts = matches.map(({ index }) => ({ index, count: countFrom(index) }));
  const best = starts.reduce((one, other) => (other.count > one.count ? other : one), { index: 0, count: 0 }).index;
  const from = best <= BEFORE ? 0 : text.indexOf(' ', best - BEFORE) + 1;
  if (text.length - from <= SHOWN) return (from > 0 ? '… ' : '') + text.slice(from);
  const to = text.lastIndexOf(' ', from + SHOWN);
  return `${from > 0 ? '… ' : ''}${text.slice(from, to > from ? to : from + SHOWN)} …`;
}

function marked(text: string, isMatch: (word: string) => boolean): string {
  return escapeHtml(text).replace(/&#?\w+;|[\p{L}\p{N}_]+/gu, (word) =>
    !word.startsWith('&') && isMatch(word) ? `<mark>${word}</mark>` : word,
  );
}
