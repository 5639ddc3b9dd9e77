import {
  entriesOf,
  entryMark,
  type EntryDraft,
  type FieldDraft,
  FILES,
  type Reading,
  type TypeDraft,
} from '../moving/model.js';
import { freeSlug, labelOf } from '../moving/names.js';
import type { Place } from '../moving/run-import.js';
import {
  authorKey,
  decoded,
  entryOf,
  attachedFileOf,
  INTERNAL,
  metaOf,
  placeOf,
  taxonomyField,
  termKey,
  termsOf,
} from './item.js';
import { readWxr, type WxrRecord } from './wxr-reader.js';

const FILE_TYPE: TypeDraft = {
  slug: 'attachment',
  name: 'Attachment',
  fields: [
    { name: 'title', type: 'text' },
    { name: 'file', type: 'media' },
    { name: 'slug', type: 'text' },
    { name: 'caption', type: 'rich_text' },
    { name: 'description', type: 'rich_text' },
    { name: 'date', type: 'datetime' },
    { name: 'modified', type: 'datetime' },
    { name: 'source', type: 'text' },
  ],
};

/** What a first look at the file finds: terms and authors may stand after the posts that have them. */
class Survey {
  readonly authors = new Map<string, Record<string, unknown>>();
  /** By key. */
  readonly terms = new Map<string, { taxonomy: string; fields: Record<string, unknown> }>();
  readonly postTypes = new Map<string, PostType>();
  readonly files = new Set<string>();
  readonly typeOfPost = new Map<string, string>();
  site = '';

  see(record: WxrRecord): void {
    if (record.name === 'channel') this.site = record.texts.get('wp:base_blog_url') ?? record.texts.get('link') ?? '';
    else if (record.name === 'wp:author') this.seeAuthor(record);
    else if (record.name === 'item') this.seeItem(record);
    else this.seeTerm(record);
  }

  private seeAuthor({ texts }: WxrRecord): void {
    const login = texts.get('wp:author_login') ?? '';
    if (login === '') return;
    const of = (name: string) => texts.get(`wp:author_${name}`) ?? '';
    const email = of('email');
    this.authors.set(login, {
      name: of('display_name') || login,
      login,
      ...(/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) && { email }),
      ...(of('first_name') && { first_name: of('first_name') }),
      ...(of('last_name') && { last_name: of('last_name') }),
    });
  }

  private seeTerm({ name, texts }: WxrRecord): void {
    const kind = name === 'wp:category' ? 'category' : name === 'wp:tag' ? 'tag' : 'term';
    const taxonomy =
      kind === 'category' ? 'category' : kind === 'tag' ? 'post_tag' : (texts.get('wp:term_taxonomy') ?? 'category');
    const slug =
      texts.get(kind === 'category' ? 'wp:category_nicename' : kind === 'tag' ? 'wp:tag_slug' : 'wp:term_slug') ?? '';
    if (slug === '' || taxonomy === 'nav_menu') return;
    const parent = texts.get(kind === 'category' ? 'wp:category_parent' : 'wp:term_parent') ?? '';
    const own = texts.get(kind === 'category' ? 'wp:cat_name' : kind === 'tag' ? 'wp:tag_name' : 'wp:term_name') ?? '';
    const description = texts.get(`wp:${kind}_description`) ?? '';
    this.terms.set(termKey(taxonomy, slug), {
      taxonomy,
      fields: {
        name: own || decoded(slug),
        slug: decoded(slug),
        ...(description !== '' && { description }),
        ...(parent !== '' && { parent: entryMark(termKey(taxonomy, parent)) }),
      },
    });
  }

  private seeItem(item: WxrRecord): void {
    const { texts } = item;
    const name = texts.get('wp:post_type') ?? 'post';
    const id = texts.get('wp:post_id') ?? '';
    if (INTERNAL.has(name) || id === '' || texts.get('wp:status') === 'trash') return;
    const login = texts.get('dc:creator');
    if (login && !this.authors.has(login)) this.authors.set(login, { name: login, login });
    if (name === 'attachment') {
      if (attachedFileOf(item)) this.files.add(id);
      return;
    }
    const type = this.postTypes.get(name) ?? new PostType(name);
    this.postTypes.set(name, type);
    type.see(item);
    this.typeOfPost.set(id, name);
    for (const [taxonomy, terms] of termsOf(item)) {
      for (const { attributes, text } of terms) {
        const slug = attributes['nicename'] ?? '';
        const key = termKey(taxonomy, slug);
        if (!this.terms.has(key))
          this.terms.set(key, { taxonomy, fields: { name: text || decoded(slug), slug: decoded(slug) } });
      }
    }
  }
}

/** A type of posts, and what its items have. */
class PostType {
  readonly taxonomies = new Set<string>();
  readonly parents = new Set<string>();
  private readonly slugs = new Set<string>();
  private hasDuplicates = false;
  private readonly has = new Set<string>();

  constructor(readonly name: string) {}

  see(item: WxrRecord): void {
    const { texts } = item;
    const slug = texts.get('wp:post_name') ?? '';
    if (slug !== '') this.hasDuplicates ||= this.slugs.size === this.slugs.add(slug).size;
    for (const taxonomy of termsOf(item).keys()) this.taxonomies.add(taxonomy);
    const parent = texts.get('wp:post_parent');
    if (parent && parent !== '0') this.parents.add(parent);
    if (Number(texts.get('wp:menu_order')) > 0) this.has.add('menu_order');
    if (texts.get('wp:is_sticky') === '1') this.has.add('sticky');
    if ((item.lists.get('category') ?? []).some(({ attributes }) => attributes['domain'] === 'post_format'))
      this.has.add('format');
    if ([...metaOf(item).keys()].some((key) => key !== '' && !key.startsWith('_'))) this.has.add('custom_fields');
  }

  fields(slugs: SlugsOf): FieldDraft[] {
    const parents = [...new Set([...this.parents].map((id) => slugs.ofPost(id)).filter((slug) => slug !== undefined))];
    const more: Record<string, FieldDraft> = {
      menu_order: { name: 'menu_order', type: 'integer' },
      sticky: { name: 'sticky', type: 'boolean' },
      format: { name: 'format', type: 'text' },
      custom_fields: { name: 'custom_fields', type: 'json' },
    };
    return [
      { name: 'title', type: 'text' },
      { name: 'slug', type: 'text', ...(!this.hasDuplicates && { unique: true }) },
      { name: 'content', type: 'rich_text' },
      { name: 'excerpt', type: 'rich_text' },
      { name: 'date', type: 'datetime' },
      { name: 'modified', type: 'datetime' },
      { name: 'author', type: 'reference', content_types: [slugs.author] },
      { name: 'featured_image', type: 'media' },
      ...[...this.taxonomies].map((taxonomy) => ({
        name: taxonomyField(taxonomy),
        type: 'reference',
        label: labelOf(taxonomy),
        multiple: true,
        content_types: [slugs.ofTaxonomy(taxonomy)],
      })),
      ...(parents.length > 0 ? [{ name: 'parent', type: 'reference', content_types: parents }] : []),
      ...[...this.has].sort().flatMap((name) => more[name] ?? []),
    ];
  }
}

/** The slugs of content types. A post type and a taxonomy of WordPress may have the same name. */
interface SlugsOf {
  author: string;
  ofPost(id: string): string | undefined;
  ofType(name: string): string;
  ofTaxonomy(name: string): string;
}

/** Reads a WXR file twice: to see what it has, and to take it. */
export async function readWordpress(
  file: string,
  { spool, report, signal }: Place,
): Promise<Omit<Reading, 'spool' | 'report'>> {
  const survey = new Survey();
  for await (const record of readWxr(file, (where) =>
    report.add('A character that XML does not allow was left out.', where),
  )) {
    signal.throwIfAborted();
    survey.see(record);
  }
  const slugs = slugsOf(survey);
  const typeOf = new Map<string, string>();
  const add = async (slug: string, entry: EntryDraft) => {
    if (typeOf.has(entry.key))
      return report.add('An entry is in the file twice: the first one was taken.', `${slug} ${entry.key}`);
    typeOf.set(entry.key, slug);
    await spool.add(entriesOf(slug), entry);
  };
  for (const [login, fields] of survey.authors)
    await add(slugs.author, { key: authorKey(login), status: 'published', fields });
  for (const [key, { taxonomy, fields }] of survey.terms)
    await add(slugs.ofTaxonomy(taxonomy), { key, status: 'published', fields });
  for await (const record of readWxr(file, () => undefined)) {
    signal.throwIfAborted();
    if (record.name !== 'item') continue;
    const name = record.texts.get('wp:post_type') ?? 'post';
    const why = INTERNAL.get(name);
    if (why !== undefined) report.add(why, placeOf(record));
    else if (record.texts.get('wp:status') === 'trash') report.add('A post in the trash is left out.', placeOf(record));
    else if ((record.texts.get('wp:post_id') ?? '') === '')
      report.add('An item without an ID is left out.', placeOf(record));
    else if (name === 'attachment') {
      const draft = attachedFileOf(record);
      if (draft) await spool.add(FILES, draft);
      else report.add('An attachment without a URL is left out.', placeOf(record));
    } else
      await add(
        slugs.ofType(name),
        entryOf(record, report, (id) => survey.files.has(id)),
      );
  }
  return {
    program: 'WordPress',
    source: survey.site || 'wordpress',
    fileType: FILE_TYPE,
    types: typesOf(survey, slugs),
    typeOf,
  };
}

function slugsOf({ postTypes, terms, typeOfPost }: Survey): SlugsOf {
  const taken = new Set([FILE_TYPE.slug]);
  const take = (name: string) => {
    const slug = freeSlug(name, taken);
    taken.add(slug);
    return slug;
  };
  const types = new Map([...postTypes.keys()].map((name) => [name, take(name)]));
  const taxonomies = new Map(
    [...new Set([...terms.values()].map(({ taxonomy }) => taxonomy))].map((name) => [name, take(name)]),
  );
  return {
    author: take('author'),
    ofPost: (id) => types.get(typeOfPost.get(id) ?? ''),
    ofType: (name) => types.get(name) ?? name,
    ofTaxonomy: (name) => taxonomies.get(name) ?? name,
  };
}

function typesOf({ postTypes, terms, authors }: Survey, slugs: SlugsOf): TypeDraft[] {
  const author: TypeDraft = {
    slug: slugs.author,
    name: 'Author',
    fields: [
      { name: 'name', type: 'text' },
      { name: 'login', type: 'text' },
      { name: 'email', type: 'email' },
      { name: 'first_name', type: 'text' },
      { name: 'last_name', type: 'text' },
    ],
  };
  const taxonomies = [...new Set([...terms.values()].map(({ taxonomy }) => taxonomy))].map((taxonomy): TypeDraft => {
    const slug = slugs.ofTaxonomy(taxonomy);
    const fields: FieldDraft[] = [
      { name: 'name', type: 'text' },
      { name: 'slug', type: 'text' },
      { name: 'description', type: 'rich_text' },
      { name: 'parent', type: 'reference', content_types: [slug] },
    ];
    return { slug, name: labelOf(taxonomy), fields };
  });
  const posts = [...postTypes.values()].map((type) => ({
    slug: slugs.ofType(type.name),
    name: labelOf(type.name),
    fields: type.fields(slugs),
  }));
  // A post without an author has no type to refer to.
  const types = [...(authors.size > 0 ? [author] : []), ...taxonomies, ...posts];
  if (authors.size > 0) return types;
  return types.map((type) => ({ ...type, fields: type.fields.filter(({ name }) => name !== 'author') }));
}
