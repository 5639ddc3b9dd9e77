import { createClient } from '@trivet/client';

/** @typedef {import('../trivet-schema.ts').Schema} Schema */
/** @typedef {Awaited<ReturnType<typeof newest>>['data'][number]} Teaser */
/** @typedef {Awaited<ReturnType<typeof draftOf>>} Article */

const { TRIVET_URL: url = 'http://localhost:3000', TRIVET_TENANT: tenant = 'ten_demo', TRIVET_KEY: key } = process.env;
export const trivet = /** @type {typeof createClient<Schema>} */ (createClient)({ url, tenant, key });
const articles = trivet.entries('magazine-article');

/** What a list shows of an article. An included picture has its size and its variants. */
const TEASER = /** @type {const} */ ({
  include: ['desk', 'cover'],
  select: ['title', 'slug', 'standfirst', 'cover', 'desk', 'published_on'],
});
/** @param {number} page */
export const newest = (page) => articles.list({ ...TEASER, sort: '-published_on', page, per_page: 9 });
/** @param {string} search */
export const found = (search) => articles.list({ ...TEASER, search, fuzzy: true, highlight: true });

const WHOLE = /** @type {const} */ ({ include: ['desk', 'extras.article'], view: 'full' });
/** @param {string} slug */
export const bySlug = (slug) => articles.getBy('slug', slug, WHOLE);
/** @param {string} token */
export const draftOf = (token) => articles.preview(token, WHOLE);
