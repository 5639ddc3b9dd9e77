/** The magazine of `npm run demo` and of the console: content types, and what belongs together in it. */
import { ARTICLES } from './demo-articles.mjs';

/** A type refers only to those before it. */
export const TYPES = [
  {
    slug: 'magazine-desk',
    name: 'Desk',
    fields: [
      { name: 'name', type: 'text', required: true },
      { name: 'slug', type: 'text', required: true, unique: true, pattern: '^[a-z-]+$' },
      { name: 'about', type: 'text' },
    ],
  },
  {
    slug: 'magazine-article',
    name: 'Article',
    fields: [
      { name: 'title', type: 'text', required: true, max: 120, label: 'Title' },
      { name: 'slug', type: 'text', required: true, unique: true, pattern: '^[a-z0-9-]+$' },
      { name: 'standfirst', type: 'text', max: 200, help: 'One sentence under the title.' },
      { name: 'body', type: 'rich_text', required: true },
      { name: 'cover', type: 'media' },
      { name: 'desk', type: 'reference', content_type: 'magazine-desk', required: true, on_delete: 'refuse' },
      { name: 'kind', type: 'select', options: ['essay', 'explainer', 'how-to'], required: true },
      { name: 'tags', type: 'text', multiple: true },
      { name: 'words', type: 'integer', min: 1 },
      { name: 'published_on', type: 'date' },
      {
        name: 'extras',
        type: 'blocks',
        help: 'What stands below the text.',
        blocks: [
          { name: 'quote', fields: [{ name: 'text', type: 'text', required: true }] },
          {
            name: 'picture',
            fields: [
              { name: 'image', type: 'media', required: true },
              { name: 'caption', type: 'text' },
            ],
          },
          { name: 'related', fields: [{ name: 'article', type: 'reference', content_type: 'magazine-article' }] },
        ],
      },
    ],
  },
  {
    slug: 'magazine-issue',
    name: 'Issue',
    fields: [
      { name: 'title', type: 'text', required: true },
      { name: 'slug', type: 'text', required: true, unique: true },
      { name: 'articles', type: 'reference', content_type: 'magazine-article', multiple: true },
    ],
  },
];

/** An issue for each quarter of the year that has articles, with the slugs of these. */
export const ISSUES = ['Winter', 'Spring', 'Summer'].map((season, index) => ({
  title: `${season} issue`,
  slug: `2025-${season.toLowerCase()}`,
  articles: ARTICLES.filter(({ published_on }) => Math.floor((Number(published_on.slice(5, 7)) - 1) / 3) === index).map(
    ({ slug }) => slug,
  ),
}));

/** The number of words of an article. */
export function wordsOf({ body }) {
  return body
    .replace(/<[^>]+>/g, ' ')
    .split(/\s+/)
    .filter(Boolean).length;
}
