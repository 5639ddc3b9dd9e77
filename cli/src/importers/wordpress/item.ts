import { entryMark, fileMark, htmlMark, type EntryDraft, type FileDraft } from '../moving/model.js';
import { fieldNameOf } from '../moving/names.js';
import type { Report } from '../moving/report.js';
import { htmlOf } from './html.js';
import type { WxrChild, WxrRecord } from './wxr-reader.js';

/** What WordPress keeps as posts, but is about how a site looks and works. */
export const INTERNAL: ReadonlyMap<string, string> = new Map([
  ['revision', 'Older versions of posts are left out.'],
  ['nav_menu_item', 'Items of menus are left out: Trivet has no menus.'],
  ['custom_css', 'Styles are left out.'],
  ['customize_changeset', 'Changes of the theme are left out.'],
  ['oembed_cache', 'Cached embeds are left out.'],
  ['user_request', 'Requests of users are left out.'],
  ['wp_global_styles', 'Styles are left out.'],
  ['wp_template', 'Templates of the theme are left out.'],
  ['wp_template_part', 'Templates of the theme are left out.'],
  ['wp_navigation', 'Menus are left out: Trivet has no menus.'],
  ['wp_font_family', 'Fonts are left out.'],
  ['wp_font_face', 'Fonts are left out.'],
]);

/** Statuses that posts can have besides published ones, and why their entries are drafts. */
const UNPUBLISHED: Readonly<Record<string, string>> = {
  draft: '',
  pending: 'A post that waits for review is a draft.',
  private: 'A private post is a draft.',
  future: 'A post that is scheduled is a draft: set its schedule.',
  'auto-draft': '',
};

/** The names of the fields that posts have themselves. */
const OWN_FIELDS = [
  'title',
  'slug',
  'content',
  'excerpt',
  'date',
  'modified',
  'author',
  'featured_image',
  'parent',
  'menu_order',
  'sticky',
  'format',
  'custom_fields',
];

/** The field of a taxonomy. */
export const taxonomyField = (taxonomy: string) => fieldNameOf(taxonomy, OWN_FIELDS);
const postKey = (id: string) => `post ${id}`;
export const authorKey = (login: string) => `author ${login}`;
export const termKey = (taxonomy: string, slug: string) => `term ${taxonomy} ${slug}`;

/** Where an item is, for people. */
export const placeOf = ({ texts }: WxrRecord) =>
  `${texts.get('wp:post_type')} ${texts.get('wp:post_id')}: ${texts.get('title') ?? ''}`.slice(0, 150);

/** The meta values of an item, by name. */
export function metaOf(item: Pick<WxrRecord, 'lists'>, list = 'wp:postmeta'): Map<string, string> {
  const found = item.lists.get(list) ?? [];
  return new Map(found.map(({ texts }) => [texts.get('wp:meta_key')?.trim() ?? '', texts.get('wp:meta_value') ?? '']));
}

/** The terms of an item, by taxonomy. The formats of posts are not terms of people. */
export function termsOf(item: WxrRecord): Map<string, WxrChild[]> {
  const found = new Map<string, WxrChild[]>();
  for (const term of item.lists.get('category') ?? []) {
    const { domain = 'category', nicename } = term.attributes;
    if (nicename === undefined || domain === 'post_format') continue;
    const taxonomy = domain === 'tag' ? 'post_tag' : domain;
    found.set(taxonomy, [...(found.get(taxonomy) ?? []), term]);
  }
  return found;
}

/** The entry of a post, a page, or an item of another type. */
export function entryOf(item: WxrRecord, report: Report, hasFile: (id: string) => boolean): EntryDraft {
  const { texts, lists } = item;
  const where = placeOf(item);
  const meta = metaOf(item);
  const format = (lists.get('category') ?? []).find(({ attributes }) => attributes['domain'] === 'post_format');
  const thumbnail = meta.get('_thumbnail_id')?.trim();
  const html = texts.get('content:encoded') ?? '';
  const excerpt = (texts.get('excerpt:encoded') ?? '').trim();
  const parent = texts.get('wp:post_parent');
  const fields: Record<string, unknown> = {
    ...textFields(item),
    ...(html.trim() !== '' && { content: htmlMark(htmlOf(html, where, report)) }),
    ...(excerpt !== '' && { excerpt: htmlMark(excerpt) }),
    ...authorOf(item),
    ...(thumbnail && hasFile(thumbnail) && { featured_image: fileMark(postKey(thumbnail)) }),
    ...(parent && parent !== '0' && { parent: entryMark(postKey(parent)) }),
    ...(Number(texts.get('wp:menu_order')) > 0 && { menu_order: Number(texts.get('wp:menu_order')) }),
    ...(texts.get('wp:is_sticky') === '1' && { sticky: true }),
    ...(format && { format: format.attributes['nicename']?.replace(/^post-format-/, '') }),
  };
  for (const [taxonomy, terms] of termsOf(item)) {
    fields[taxonomyField(taxonomy)] = terms.map(({ attributes }) =>
      entryMark(termKey(taxonomy, attributes['nicename'] ?? '')),
    );
  }
  const own = [...meta].filter(([name]) => name !== '' && !name.startsWith('_'));
  if (own.length > 0) fields['custom_fields'] = Object.fromEntries(own);
  const comments = lists.get('wp:comment')?.length ?? 0;
  if (comments > 0) report.add('Comments are left out: Trivet has no comments.', `${where}: ${comments}`, comments);
  return { key: postKey(texts.get('wp:post_id') ?? ''), status: statusOf(item, where, report), fields };
}

/** The file of an attachment, and what is said about it. */
export function attachedFileOf(item: WxrRecord): FileDraft | undefined {
  const { texts } = item;
  const guid = texts.get('guid');
  const url = [texts.get('wp:attachment_url'), guid].find((one) => /^(https?:)?\/\//.test(one ?? ''));
  if (url === undefined) return undefined;
  const absolute = url.startsWith('//') ? `https:${url}` : url;
  const alt = (metaOf(item).get('_wp_attachment_image_alt') ?? '').trim().slice(0, 1_000);
  const caption = (texts.get('excerpt:encoded') ?? '').trim();
  const description = (texts.get('content:encoded') ?? '').trim();
  return {
    key: postKey(texts.get('wp:post_id') ?? ''),
    url: absolute,
    ...(guid !== undefined && guid !== url && { urls: [guid] }),
    filename: absolute.split('/').at(-1) ?? '',
    alt,
    fields: {
      ...textFields(item),
      ...(caption !== '' && { caption: htmlMark(caption) }),
      ...(description !== '' && { description: htmlMark(description) }),
      source: absolute,
    },
  };
}

function textFields({ texts }: WxrRecord): Record<string, unknown> {
  const title = texts.get('title') ?? '';
  const slug = texts.get('wp:post_name') ?? '';
  const date = timeOf(texts.get('wp:post_date_gmt'), texts.get('wp:post_date'));
  const modified = timeOf(texts.get('wp:post_modified_gmt'), texts.get('wp:post_modified'));
  return {
    ...(title !== '' && { title }),
    ...(slug !== '' && { slug: decoded(slug) }),
    ...(date !== undefined && { date }),
    ...(modified !== undefined && { modified }),
  };
}

function authorOf({ texts }: WxrRecord): object {
  const login = texts.get('dc:creator');
  return login ? { author: entryMark(authorKey(login)) } : {};
}

function statusOf({ texts }: WxrRecord, where: string, report: Report): EntryDraft['status'] {
  const status = texts.get('wp:status') ?? 'publish';
  const isPublished = status === 'publish' || status === 'inherit';
  if ((texts.get('wp:post_password') ?? '') !== '') {
    report.add('A post with a password is a draft: Trivet has no passwords for entries.', where);
    return 'draft';
  }
  if (isPublished) return 'published';
  const why = UNPUBLISHED[status] ?? `A post with the status ${status} is a draft.`;
  if (why !== '') report.add(why, where);
  return 'draft';
}

/** The time in UTC; without it, that of the site, whose time zone the file does not tell. Drafts have zeros. */
function timeOf(utc: string | undefined, local: string | undefined): string | undefined {
  const found = [utc, local].find(
    (text) => /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text ?? '') && !text!.startsWith('0000'),
  );
  if (found === undefined) return undefined;
  const time = new Date(`${found.replace(' ', 'T')}Z`);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

/** Slugs of other scripts are percent-encoded. */
export function decoded(slug: string): string {
  try {
    return decodeURIComponent(slug);
  } catch {
    return slug;
  }
}
