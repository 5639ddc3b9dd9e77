/** The workloads compared with the floor, in this order. Writes come last, because the data of the two servers differ afterwards. */
import { midFrequencyWord, patchOf, randomFrom, submissionOf, titleOf, valuesOf } from './data.mjs';
import { ENTRY, SUBMISSION } from './requests.mjs';

/** Numbers of entries that only `create` uses, so that their titles are unique. */
const NEW = 20_000_000;
/** The service accepts ten submissions a minute from an address. This many addresses suffice for any rate. */
const ADDRESSES = 10_000;
/** Submissions with a proof of work that are prepared. Each proof counts once. */
const PROOFS = 40_000;

/**
 * @param {{entries: number, path: string, linkPath?: string, formPath?: string, checkedPath?: string, checkedFields?: (number: number) => object,
 *   entryId: (number: number) => string}} data
 * @returns {{name: string, title: string, marker: string, writes?: boolean, once?: boolean, questions: () => import('./requests.mjs').Question[]}[]}
 */
export function workloadsOf({ entries, path, linkPath, formPath, checkedPath, checkedFields, entryId }) {
  const random = randomFrom(20_250_101);
  const some = () => Math.floor(random() * entries);
  const many = (count, question) => Array.from({ length: count }, (_, index) => question(index));
  const get = (query, items) => ({ method: 'GET', path: `${path}${query}`, items });
  const page = Math.max(1, Math.min(200, Math.floor(entries / 25)));
  const full = Math.min(25, entries);
  return [
    { name: 'get', title: 'get one', questions: () => many(2_000, () => get(`/${entryId(some())}`, 1)) },
    { name: 'newest', title: 'newest 25, total', questions: () => [get('', full)] },
    { name: 'page', title: `page ${page} of 25`, questions: () => [get(`?page=${page}`, full)] },
    {
      name: 'filter',
      title: 'filter, exact title',
      questions: () => many(2_000, () => get(`?filter[title]=${encodeURIComponent(titleOf(some()))}`, 1)),
    },
    {
      name: 'search',
      title: 'search, 25 best',
      ranked: true,
      questions: () => many(200, () => get(`?search=${midFrequencyWord(random, entries)}`, null)),
    },
    { name: 'sort', title: 'sort by title, 25', questions: () => [get('?sort=title', full)] },
    {
      name: 'include',
      title: 'newest 25, include two references',
      questions: () => [{ method: 'GET', path: `${linkPath}?include=author,editor`, items: null }],
    },
    {
      name: 'create',
      title: 'create',
      writes: true,
      questions: () =>
        many(2_000, (index) => ({
          method: 'POST',
          path,
          body: { fields: valuesOf(NEW + index), status: 'published' },
          items: 1,
        })),
    },
    {
      name: 'update',
      title: 'update',
      writes: true,
      questions: () =>
        many(2_000, () => ({ method: 'PATCH', path: `${path}/${entryId(some())}`, body: patchOf(random), items: 1 })),
    },
    {
      name: 'submit',
      title: 'submit a form',
      marker: SUBMISSION,
      writes: true,
      questions: () =>
        many(ADDRESSES, (index) => ({
          method: 'POST',
          path: formPath,
          headers: addressOf(index),
          body: { fields: submissionOf(index % 2_000) },
          items: 1,
        })),
    },
    {
      name: 'checked',
      title: 'submit with all checks',
      marker: SUBMISSION,
      writes: true,
      once: true,
      questions: () =>
        many(PROOFS, (index) => ({
          method: 'POST',
          path: checkedPath,
          headers: addressOf(index),
          body: { fields: checkedFields(index) },
          items: 1,
        })),
    },
  ].map((workload) => ({ marker: ENTRY, ...workload }));
}

function addressOf(index) {
  return { 'X-Forwarded-For': `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}` };
}
