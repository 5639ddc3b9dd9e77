/** What reading entries compiles to, and what must not compile. */
import { createClient } from '@trivet/client';
import type { EntryId, Schema } from './magazine.js';

const trivet = createClient<Schema>({ url: 'https://cms.example', tenant: 'ten_acme', key: 'tvt_x' });
const posts = trivet.entries('post');

/** Holds if both are the same type. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function is<A, B>(_same: Same<A, B>): void {}

// @ts-expect-error There is no such content type.
trivet.entries('page');

export async function fields(): Promise<void> {
  const { data, meta } = await posts.list();
  const post = data[0]!;
  is<typeof post.fields.title, string>(true);
  is<typeof post.fields.price, number | undefined>(true);
  is<typeof post.fields.kind, 'news' | 'blog'>(true);
  is<typeof post.status, 'draft' | 'published'>(true);
  is<typeof meta.total, number | undefined>(true);
  // @ts-expect-error Items of lists have no ETag.
  post.etag.length;
  // @ts-expect-error There is no such field.
  post.fields.subtitle;
  // @ts-expect-error It may be missing.
  post.fields.price.toFixed();
  const section = post.fields.sections![0]!;
  if (section.block === 'quote') is<typeof section.text, string>(true);
  // @ts-expect-error Only quotes have a text.
  section.text;
  const one = await posts.get('ent_x');
  is<typeof one.etag, string>(true);
  const by = await posts.getBy('slug', 'tides');
  is<typeof by.fields.title, string>(true);
  // @ts-expect-error The title is not unique.
  await posts.getBy('title', 'Tides');
}

export async function references(): Promise<void> {
  const plain = (await posts.list()).data[0]!;
  const id: EntryId<'author'> = plain.fields.author;
  // @ts-expect-error It is the ID of an author.
  const other: EntryId<'company'> = plain.fields.author;
  // @ts-expect-error The author was not included.
  plain.fields.author.fields;
  await trivet.entries('author').get(id);
  void other;

  const { data } = await posts.list({ include: ['author', 'editor', 'related', 'author.company', 'cover'] });
  const post = data[0]!;
  is<typeof post.fields.author.fields.name, string>(true);
  // @ts-expect-error The editor may be missing, because the field is not required.
  post.fields.editor.fields;
  is<NonNullable<typeof post.fields.editor>['fields']['name'], string>(true);
  // @ts-expect-error The company may be missing.
  post.fields.author.fields.company.fields;
  is<NonNullable<typeof post.fields.author.fields.company>['fields']['name'], string>(true);
  // @ts-expect-error The parent of the company was not included.
  post.fields.author.fields.company!.fields.parent!.fields;
  const related = post.fields.related![0];
  // @ts-expect-error It may have been deleted.
  related.fields;
  if (related && 'title' in related.fields) is<typeof related.fields.title, string>(true);
}

export async function nested(): Promise<void> {
  const post = await posts.get('ent_x', { include: ['seo.reviewer', 'sections.author', 'sections.author.company'] });
  is<NonNullable<NonNullable<typeof post.fields.seo>['reviewer']>['fields']['name'], string>(true);
  const section = post.fields.sections![0]!;
  if (section.block === 'gallery') is<typeof section.author.fields.name, string>(true);
  if (section.block === 'quote') {
    // @ts-expect-error It may be missing.
    section.author.fields;
    is<NonNullable<NonNullable<typeof section.author>['fields']['company']>['fields']['name'], string>(true);
  }
  for await (const one of posts.all({ include: ['author'], search: 'engine' })) {
    is<typeof one.fields.author.fields.name, string>(true);
    // @ts-expect-error It was not included.
    one.fields.editor!.fields;
  }
}

export async function selecting(): Promise<void> {
  const { data } = await posts.list({ include: ['author'], select: ['title', 'author', 'author.name'] });
  const post = data[0]!;
  is<typeof post.fields.title, string>(true);
  is<typeof post.fields.author.fields.name, string>(true);
  // @ts-expect-error It was not selected.
  post.fields.price;
  // @ts-expect-error It was not selected.
  post.fields.author.fields.company;
}

export async function wrongNames(): Promise<void> {
  // @ts-expect-error The title is not a reference.
  await posts.list({ include: ['title'] });
  // @ts-expect-error An author has no such reference.
  await posts.list({ include: ['author.publisher'] });
  // @ts-expect-error There is no such field.
  await posts.list({ select: ['subtitle'] });
  // @ts-expect-error An author has no such field.
  await posts.list({ include: ['author'], select: ['author.age'] });
  // @ts-expect-error There is no such field.
  await posts.list({ sort: 'subtitle' });
  // @ts-expect-error Entries are not sorted by media.
  await posts.list({ sort: '-cover' });
  await posts.list({ sort: ['-published_on', 'seo.title', 'created_at'] });
  // @ts-expect-error There is no such option.
  await posts.list({ order: 'title' });
}

export async function filters(): Promise<void> {
  await posts.list({
    filter: {
      published_on: { lte: '2026-01-01' },
      price: { gte: 5, lt: 10 },
      kind: 'news',
      editor: null,
      'seo.title': { contains: 'tide' },
      'author.name': { starts_with: 'A' },
      'author.id': { exists: true },
      status: { in: ['draft'] },
    },
    where: { or: [{ title: 'Tides' }, { not: { price: { gt: 5 } } }], 'author.name': 'Ada' },
  });
  // @ts-expect-error A number is not a text.
  await posts.list({ filter: { price: '5' } });
  // @ts-expect-error Only texts contain texts.
  await posts.list({ filter: { price: { contains: '5' } } });
  // @ts-expect-error It is not one of the options.
  await posts.list({ filter: { kind: 'essay' } });
  // @ts-expect-error JSON is not filtered.
  await posts.list({ filter: { extra: 'x' } });
  // @ts-expect-error An author has no such field.
  await posts.list({ filter: { 'author.age': 5 } });
  // @ts-expect-error There is no such operator.
  await posts.list({ filter: { title: { like: 'x' } } });
  // @ts-expect-error There is no such field.
  await posts.list({ where: { or: [{ subtitle: 'x' }] } });
}
