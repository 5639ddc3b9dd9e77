/** The requests at every size. Where possible, a request has the same number of matches at each size. */
import {
  COMMON_WORD,
  LINKS_OF_A_PERSON,
  MAX_PRICE,
  RARE_WORDS,
  STOCKS,
  TEAMS,
  patchOf,
  randomFrom,
  rareWord,
  someCategory,
  titleOf,
  valuesOf,
  word,
} from './data.mjs';
import { ENTRY, FORM, SUBMISSION, VERSION } from './requests.mjs';

/** Numbers of entries that only `create` uses. */
const NEW = 20_000_000;
const PER_PAGE = 25;
const FAR_PAGE = 10_000;

/**
 * @param {{entries: number, path: string, linkPath: string, formPath?: string, entryId: (number: number) => string}} data
 * @returns workloads in the format of `workloadsOf`
 */
export function growthWorkloadsOf({ entries, path, linkPath, formPath, entryId }) {
  const random = randomFrom(20_250_102);
  const some = () => Math.floor(random() * entries);
  const get = (query, items) => ({ method: 'GET', path: `${path}${query}`, items });
  const lists = (name, title, query, { items = PER_PAGE, count = 1 } = {}) => ({
    name,
    title,
    questions: () => Array.from({ length: count }, (_, index) => get(query(index), items)),
  });
  // The range is chosen so that it matches the same number of entries at every size.
  const priceRange = (matches) => () => {
    const width = (MAX_PRICE * matches) / entries;
    const from = random() * (MAX_PRICE - width);
    return `?filter[price][gte]=${from.toFixed(2)}&filter[price][lt]=${(from + width).toFixed(2)}`;
  };
  const stock = () => Math.floor(random() * STOCKS);
  const linked = (name, title, query, count) => ({
    name,
    title,
    questions: () =>
      Array.from({ length: count }, () => ({ method: 'GET', path: `${linkPath}${query()}`, ...unknown })),
  });
  const person = () => Math.floor((random() * entries) / LINKS_OF_A_PERSON);
  const either = () =>
    encodeURIComponent(JSON.stringify({ or: [{ title: titleOf(some()) }, { stock: stock(), featured: true }] }));
  const unknown = { items: null };
  const workloads = [
    {
      name: 'get',
      title: 'get one',
      questions: () => Array.from({ length: 1_000 }, () => get(`/${entryId(some())}`, 1)),
    },
    {
      name: 'versions',
      title: 'versions of an entry, total',
      marker: VERSION,
      questions: () => Array.from({ length: 500 }, () => get(`/${entryId(some())}/versions`, null)),
    },
    lists('newest', 'newest 25, total', () => ''),
    lists('total', 'newest 1, total', () => '?per_page=1', { items: 1 }),
    lists('filter', 'filter, exact title', () => `?filter[title]=${encodeURIComponent(titleOf(some()))}`, {
      items: 1,
      count: 500,
    }),
    lists('range', 'filter, range of 50', priceRange(50), { ...unknown, count: 50 }),
    lists('range-wide', 'filter, range of 1 %', priceRange(entries / 100), { ...unknown, count: 10 }),
    lists('sort-title', 'sort title', () => '?sort=title'),
    lists('sort-title-desc', 'sort -title', () => '?sort=-title'),
    lists('sort-price', 'sort price', () => '?sort=price'),
    lists('sort-price-desc', 'sort -price', () => '?sort=-price'),
    lists('sort-filter', 'sort title, filter 1 in 10', () => `?sort=title&filter[category]=${someCategory(random)}`, {
      count: 20,
    }),
    lists(
      'sort-filter-desc',
      'sort -price, filter 1 in 10',
      () => `?sort=-price&filter[category]=${someCategory(random)}`,
      {
        count: 20,
      },
    ),
    lists('sort-rare-filter', 'sort -price, filter 1 in 1000', () => `?sort=-price&filter[stock]=${stock()}`, {
      ...unknown,
      count: 20,
    }),
    lists('sort-range', 'sort title, range of 50', (index) => `${priceRange(50)(index)}&sort=title`, {
      ...unknown,
      count: 20,
    }),
    lists('search-rare', 'search, rare word', (index) => `?search=${rareWord(index)}`, { items: 3, count: RARE_WORDS }),
    lists('search-percent', 'search, word in 1 %', () => `?search=${word(4_300 + Math.floor(random() * 700))}`, {
      ...unknown,
      count: 20,
    }),
    lists('search-every', 'search, word in every entry', () => `?search=${COMMON_WORD}`),
    lists('contains', 'contains, one match', () => `?filter[title][contains]=${encodeURIComponent(endOfTitle())}`, {
      items: 1,
      count: 20,
    }),
    lists('search-beginning', 'search, beginning of a rare word', (index) => `?search=${rareWord(index)}*`, {
      ...unknown,
      count: RARE_WORDS,
    }),
    lists('any', 'any of two conditions', () => `?where=${either()}`, { ...unknown, count: 50 }),
    linked('include', 'newest 25, include two references', () => '?include=author,editor', 1),
    linked(
      'reference',
      'filter, reference to one of 10',
      () => `?filter[author.name]=Person ${person()}`.replaceAll(' ', '%20'),
      200,
    ),
    linked(
      'reference-part',
      'filter, references to 1 in 1000',
      () => `?filter[author.team]=${Math.floor(random() * TEAMS)}`,
      50,
    ),
    linked('reference-half', 'filter, references to half', () => `?filter[author.team][lt]=${TEAMS / 2}`, 1),
    entries >= FAR_PAGE * PER_PAGE && lists('page', 'page 10,000', () => `?page=${FAR_PAGE}`),
    formPath && {
      name: 'submission-count',
      title: 'list forms, submission count',
      marker: FORM,
      questions: () => [{ method: 'GET', path: `${formPath.split('/').slice(0, 4).join('/')}?per_page=1`, items: 1 }],
    },
    formPath && {
      name: 'submissions',
      title: 'newest 25 submissions',
      marker: SUBMISSION,
      questions: () => [{ method: 'GET', path: formPath, items: PER_PAGE }],
    },
    {
      name: 'create',
      title: 'create',
      writes: true,
      questions: () =>
        Array.from({ length: 1_000 }, (_, index) => {
          const body = { fields: valuesOf(NEW + index), status: 'published' };
          return { method: 'POST', path, body, items: 1 };
        }),
    },
    {
      name: 'update',
      title: 'update',
      writes: true,
      questions: () =>
        Array.from({ length: 1_000 }, () => {
          return { method: 'PATCH', path: `${path}/${entryId(some())}`, body: patchOf(random), items: 1 };
        }),
    },
  ];
  return workloads.filter(Boolean).map((workload) => ({ marker: ENTRY, ...workload }));

  /** The last word and the number of a title. Chooses entries whose number is not the start of another one. */
  function endOfTitle() {
    const number = Math.floor(entries / 10 + random() * entries * 0.9);
    return titleOf(number).split(' ').slice(-2).join(' ');
  }
}
