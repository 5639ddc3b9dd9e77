import type { TestTenant } from '../support/app.js';

const NESTED = (levels: number): object =>
  levels === 0
    ? { name: 'leaf', type: 'text', required: true }
    : {
        name: 'inner',
        type: levels % 2 ? 'group' : 'blocks',
        ...(levels % 2
          ? { multiple: levels === 3, fields: [NESTED(levels - 1), { name: 'cover', type: 'media' }] }
          : {
              blocks: [
                { name: 'hero', fields: [NESTED(levels - 1)] },
                { name: 'line', fields: [] },
              ],
            }),
      };

/** A field of each type, with what it can have. */
export const ALL_FIELDS = [
  { name: 'title', type: 'text', required: true, min: 1, max: 120, label: 'Title', help: 'What it is *called*.' },
  { name: 'slug', type: 'text', unique: true, pattern: '^[a-z-]+$' },
  { name: 'body', type: 'rich_text' },
  { name: 'cover', type: 'media' },
  { name: 'price', type: 'number', min: 0 },
  { name: 'stock', type: 'integer', default: 1, required: true },
  { name: 'active', type: 'boolean' },
  { name: 'day', type: 'date' },
  { name: 'moment', type: 'datetime' },
  { name: 'mail', type: 'email' },
  { name: 'site', type: 'url', pattern: '(?i)example' },
  { name: 'kind', type: 'select', options: ['a', 'b"c', '</script>'] },
  { name: 'tags', type: 'text', multiple: true },
  { name: 'extra', type: 'json' },
  { name: 'parent', type: 'reference', content_types: ['post', 'a1'] },
  { name: 'toString', type: 'text' },
  { name: 'seo', type: 'group', fields: [{ name: 'title', type: 'text' }] },
  NESTED(5),
];

/** Slugs that look like other names. `a1` comes first, because fields of others refer to it. */
export const SLUGS = [
  'a1',
  'post',
  'posts',
  'a-1',
  'a-b',
  'ab',
  '2024',
  'entry',
  'entries',
  'create',
  'post-create',
  'event',
  'content-type',
  'form',
  'by',
];

/** Creates a content type under each of the slugs, and forms. */
export async function createHostileTypes({ id, http }: TestTenant): Promise<void> {
  const types = `/v1/content/${id}/types`;
  for (const slug of SLUGS.slice(0, 2)) {
    await http.post(types, { name: slug, slug, fields: [{ name: 'name', type: 'text' }] }).expect(201);
  }
  for (const slug of SLUGS.slice(2)) {
    await http.post(types, { name: `"${slug}" <b>`, slug, fields: ALL_FIELDS, public: slug === 'posts' }).expect(201);
  }
  for (const slug of ['contact', 'post', 'erasures-2']) {
    await http.post(`/v1/forms/${id}`, { name: slug, slug, fields: FORM_FIELDS }).expect(201);
  }
}

export const FORM_FIELDS = [
  { name: 'name', type: 'text', required: true, label: 'Your name' },
  { name: 'email', type: 'email', required: true },
  { name: 'site', type: 'url' },
  { name: 'message', type: 'textarea', max: 500 },
  { name: 'amount', type: 'number', min: 1 },
  { name: 'phone', type: 'tel' },
  { name: 'day', type: 'date' },
  { name: 'topic', type: 'select', options: ['Press', 'Sales'], multiple: true },
  { name: 'agree', type: 'checkbox', required: true },
  { name: 'campaign', type: 'hidden', default: 'none' },
  { name: 'cv', type: 'file' },
];
