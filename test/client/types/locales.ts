/** What reading and writing in locales compiles to, and what must not compile. */
import { type AnySchema, createClient, type WebhookEvent } from '@trivet/client';
import type { Schema as Magazine } from './magazine.js';
import type { EntryId, MediaValue, Page, Schema } from './multilingual.js';

const trivet = createClient<Schema>({ url: 'https://cms.example', tenant: 'ten_acme', key: 'tvt_x' });
const pages = trivet.entries('page');
const posts = createClient<Magazine>({ url: '', tenant: 'ten_acme' }).entries('post');
const loose = createClient({ url: '', tenant: 'ten_acme' }).entries('anything');

declare const author: EntryId<'person'>;
declare const someCode: 'de' | 'fr';

/** Holds if both are the same type. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function is<A, B>(_same: Same<A, B>): void {}

export async function oneLocale(): Promise<void> {
  const page = (await pages.list({ locale: 'de' })).data[0]!;
  is<typeof page.locale, 'de'>(true);
  is<typeof page.fields.title, string>(true);
  is<typeof page.fields.slug, string | undefined>(true);
  const title: 'de' | 'de-CH' | 'en' | 'fr' | undefined = page.fallbacks?.title;
  void title;
  // @ts-expect-error The price is not localized.
  page.fallbacks?.price;
  // @ts-expect-error There is no such locale.
  await pages.list({ locale: 'it' });
  // @ts-expect-error Codes are compared as they are.
  await pages.list({ locale: 'DE' });
  // @ts-expect-error A page is read in one locale.
  await pages.list({ locale: ['de', 'fr'] });

  const swiss = await pages.get('ent_x', { locale: 'de-CH' });
  is<typeof swiss.fields.title, string>(true);
  is<typeof swiss.etag, string>(true);
  const french = await pages.get('ent_x', { locale: 'fr' });
  is<typeof french.locale, 'fr'>(true);
  // @ts-expect-error French falls back to no other locale.
  french.fields.title.length;
  is<typeof french.fields.title, string | undefined>(true);
  is<typeof french.fields.author, EntryId<'person'> & { readonly '~kept'?: true }>(true);
}

export async function standardLocale(): Promise<void> {
  const page = await pages.get('ent_x');
  is<typeof page.fields.title, string>(true);
  // @ts-expect-error No locale was named.
  page.locale;
  // @ts-expect-error No locale was named.
  page.fallbacks;
  const named = await pages.get('ent_x', { locale: 'en', fallback: 'none' });
  is<typeof named.locale, 'en'>(true);
  is<typeof named.fields.title, string>(true);
}

export async function ownValues(): Promise<void> {
  const page = await pages.getBy('slug', 'gezeiten', { locale: 'de', fallback: 'none' });
  is<typeof page.locale, 'de'>(true);
  // @ts-expect-error It may have no German title.
  page.fields.title.length;
  is<typeof page.fields.title, string | undefined>(true);
  // @ts-expect-error Nothing comes from elsewhere.
  page.fallbacks;
  // @ts-expect-error Without a locale, there is nothing to fall back from.
  await pages.get('ent_x', { fallback: 'none' });
  // @ts-expect-error There is no such option.
  await pages.get('ent_x', { locale: 'de', fallback: 'en' });
  await pages.list({ translated: ['de', 'fr'], locale: 'de' });
  await pages.get('ent_x', { translated: 'de' });
  // @ts-expect-error There is no such locale.
  await pages.get('ent_x', { translated: 'it' });
  // @ts-expect-error An entry is translated into named locales.
  await pages.get('ent_x', { translated: '*' });
  // @ts-expect-error A preview shows any entry.
  await pages.preview('token', { translated: 'de' });
}

export async function allLocales(): Promise<void> {
  for await (const page of pages.all({ locale: '*', include: ['author'], select: ['title', 'cover', 'author'] })) {
    is<typeof page.locale, '*'>(true);
    is<typeof page.fields.title.en, string>(true);
    is<typeof page.fields.title.de, string | undefined>(true);
    is<NonNullable<typeof page.fields.cover>['de-CH'], MediaValue | undefined>(true);
    is<typeof page.fields.author.fields.name, string>(true);
    is<typeof page.fields.author.fields.bio.en, string>(true);
    is<typeof page.fields.author.locale, '*'>(true);
    // @ts-expect-error There is no such locale.
    page.fields.title.it;
    // @ts-expect-error The name of a person is not localized.
    page.fields.author.fields.name.en;
    // @ts-expect-error It has no German title for sure.
    page.fields.title.de.length;
    // @ts-expect-error Every value has its locale.
    page.fallbacks;
    // @ts-expect-error It was not selected.
    page.fields.slug;
  }
  const { fields } = await pages.get('ent_x', { locale: '*' });
  is<NonNullable<typeof fields.kind>['fr'], 'news' | 'blog' | undefined>(true);
  is<NonNullable<typeof fields.seo>['de'], { title: string } | undefined>(true);
  is<NonNullable<typeof fields.tags>['de'], string[] | undefined>(true);
  is<typeof fields.price, number | undefined>(true);
}

export async function included(): Promise<void> {
  const page = await pages.get('ent_x', { locale: 'fr', include: ['author', 'translator'] });
  is<typeof page.fields.author.locale, 'fr'>(true);
  is<typeof page.fields.author.fields.bio, string | undefined>(true);
  is<typeof page.fields.author.fields.name, string>(true);
  is<NonNullable<typeof page.fields.translator>['fields']['bio'], string | undefined>(true);
  await pages.list({ locale: 'de', filter: { title: { contains: 'tide' }, 'author.bio': 'x' }, sort: '-title' });
  // @ts-expect-error Filters take values of one locale, also with all of them.
  await pages.list({ locale: '*', filter: { title: { de: 'Gezeiten' } } });
}

export async function severalLocales(): Promise<void> {
  const page = await pages.get('ent_x', { locale: someCode });
  is<typeof page.locale, 'de' | 'fr'>(true);
  is<typeof page.fields.title, string | undefined>(true);
}

export async function creating(): Promise<void> {
  const page = await pages.create({ title: { en: 'Tides', de: 'Gezeiten', fr: null }, author }, { locale: '*' });
  is<typeof page.fields.title.en, string>(true);
  is<typeof page.locale, '*'>(true);
  await pages.create(
    { title: { en: 'Tides' }, kind: { de: 'news' }, slug: null, cover: { de: { id: 'med_x' } }, author, price: 5 },
    { locale: '*', status: 'published' },
  );
  // @ts-expect-error The title of the default locale is required.
  await pages.create({ title: { de: 'Gezeiten' }, author }, { locale: '*' });
  // @ts-expect-error The title of the default locale cannot be removed.
  await pages.create({ title: { en: null }, author }, { locale: '*' });
  // @ts-expect-error There is no such locale.
  await pages.create({ title: { en: 'Tides', it: 'Maree' }, author }, { locale: '*' });
  // @ts-expect-error A localized value is an object from codes to values.
  await pages.create({ title: 'Tides', author }, { locale: '*' });
  // @ts-expect-error The price is not localized.
  await pages.create({ title: { en: 'Tides' }, author, price: { en: 5 } }, { locale: '*' });
  // @ts-expect-error It is one value in one locale.
  await pages.create({ title: { en: 'Tides' }, author });
  // @ts-expect-error It is not one of the options.
  await pages.create({ title: { en: 'Tides' }, author, kind: { de: 'essay' } }, { locale: '*' });
  // @ts-expect-error There is no such field.
  await pages.create({ title: { en: 'Tides' }, author, subtitle: { en: 'x' } }, { locale: '*' });
  // @ts-expect-error The author is required.
  await pages.create({ title: { en: 'Tides' } }, { locale: '*' });
  const english = await pages.create({ title: 'Tides', author }, { locale: 'en' });
  is<typeof english.locale, 'en'>(true);
  // @ts-expect-error The title of the default locale is required.
  await pages.create({ author }, { locale: 'en' });
}

export async function updating(): Promise<void> {
  const german = await pages.update('ent_x', { title: 'Gezeiten', kind: null, price: 5 }, { locale: 'de' });
  is<typeof german.locale, 'de'>(true);
  await pages.update('ent_x', { title: null }, { locale: 'de', ifMatch: german.etag });
  // @ts-expect-error The title of the default locale cannot be removed.
  await pages.update('ent_x', { title: null }, { locale: 'en' });
  // @ts-expect-error A required value that is not localized cannot be removed in any locale.
  await pages.update('ent_x', { author: null }, { locale: 'de' });
  // @ts-expect-error It is the value of one locale.
  await pages.update('ent_x', { title: { de: 'Gezeiten' } }, { locale: 'de' });
  // @ts-expect-error There is no such field.
  await pages.update('ent_x', { subtitle: 'x' }, { locale: 'de' });
  await pages.update('ent_x', { title: { de: 'Gezeiten', fr: null }, slug: { en: null }, tags: null }, { locale: '*' });
  // @ts-expect-error The title of the default locale cannot be removed.
  await pages.update('ent_x', { title: { en: null } }, { locale: '*' });
  // @ts-expect-error The title cannot be removed in all locales.
  await pages.update('ent_x', { title: null }, { locale: '*' });
  // @ts-expect-error A list in one locale is a list.
  await pages.update('ent_x', { tags: { de: 'x' } }, { locale: '*' });
}

export async function drafts(): Promise<void> {
  const draft = await pages.drafts.save('ent_x', { title: { de: 'Gezeiten' } }, { locale: '*' });
  is<typeof draft.locale, '*'>(true);
  is<typeof draft.fields.title.de, string | undefined>(true);
  const french = await pages.drafts.get('ent_x', { locale: 'fr', fallback: 'none' });
  is<typeof french.fields.title, string | undefined>(true);
  is<typeof french.locale, 'fr'>(true);
  // @ts-expect-error No locale was named.
  (await pages.drafts.get('ent_x')).locale;
  const both = await pages.drafts.publish('ent_x', { locale: ['fr', 'de'], ifMatch: draft.etag });
  is<typeof both.locale, 'fr'>(true);
  is<typeof both.fields.title, string | undefined>(true);
  const german = await pages.drafts.publish('ent_x', { locale: 'de', force: true });
  is<typeof german.locale, 'de'>(true);
  is<typeof german.fields.title, string>(true);
  // @ts-expect-error No locale was named.
  (await pages.drafts.publish('ent_x')).locale;
  const some = await pages.drafts.publish('ent_x', { locale: [someCode].slice() });
  is<typeof some.locale, 'de' | 'fr'>(true);
  // @ts-expect-error Without a locale, all of the draft is published.
  await pages.drafts.publish('ent_x', { locale: '*' });
  await pages.drafts.discard('ent_x', { locale: 'de' });
  // @ts-expect-error There is no such locale.
  await pages.drafts.discard('ent_x', { locale: 'it' });
  const version = await pages.versions.get('ent_x', 1, { locale: '*' });
  is<NonNullable<typeof version.fields.title>['de'], string | undefined>(true);
  is<Awaited<ReturnType<typeof restored>>['locale'], 'de'>(true);
  // @ts-expect-error One language is restored, or the whole.
  await pages.versions.restore('ent_x', 1, { locale: '*' });
}

function restored() {
  return pages.versions.restore('ent_x', 1, { locale: 'de' });
}

export async function locales(): Promise<void> {
  const all = await pages.locales.list('ent_x');
  is<(typeof all)[number]['code'], 'de' | 'de-CH' | 'en' | 'fr'>(true);
  const german = await pages.locales.set('ent_x', 'de', { live: false }, { ifMatch: 'x' });
  is<typeof german.live, boolean>(true);
  is<(typeof german.missing)[number], string>(true);
  is<Awaited<ReturnType<typeof pages.locales.count>>[number]['behind'], number>(true);
  // @ts-expect-error There is no such locale.
  await pages.locales.set('ent_x', 'it', { live: true });
}

export async function withoutLocalizedFields(): Promise<void> {
  const tag = await trivet.entries('tag').create({ name: 'x' }, { locale: '*' });
  is<typeof tag.fields.name, string>(true);
  is<typeof tag.locale, '*'>(true);
  // @ts-expect-error The locales of the tenant hold for all types.
  await trivet.entries('tag').list({ locale: 'it' });
}

type PageEvent<Type> = Extract<WebhookEvent<OnlyPages>, { type: Type }>;

/** The schema without the other content types, whose entries a receiver of all events must tell apart first. */
interface OnlyPages {
  types: Pick<Schema['types'], 'page'>;
  forms: Schema['forms'];
  locales: Schema['locales'];
}

export function received(event: PageEvent<'entry.updated'>, deleted: PageEvent<'entry.deleted'>): void {
  is<typeof event.data.fields.title, string>(true);
  is<NonNullable<typeof event.data.localized.de>['title'], string | undefined>(true);
  is<NonNullable<(typeof event.data.localized)['de-CH']>['kind'], Page['kind'] | undefined>(true);
  is<NonNullable<typeof event.data.localized.fr>['cover'], MediaValue | undefined>(true);
  is<(typeof event.data.locales_changed)[number], 'de' | 'de-CH' | 'en' | 'fr'>(true);
  // @ts-expect-error An entry may have nothing in German, or German may be off.
  event.data.localized.de.title;
  // @ts-expect-error The values of the default locale are the fields.
  event.data.localized.en;
  // @ts-expect-error There is no such locale.
  event.data.localized.it;
  // @ts-expect-error The price is not localized.
  event.data.localized.de?.price;
  // @ts-expect-error There is no such locale.
  event.data.locales_changed.includes('it');
  // @ts-expect-error An event names no locale of its own.
  event.data.locale;
  is<NonNullable<NonNullable<typeof deleted.data.localized>['de']>['title'], string | undefined>(true);
  // @ts-expect-error Its last change may have been before any of its fields was localized.
  deleted.data.locales_changed.length;
}

export async function receivedOfAnyType(request: Request): Promise<void> {
  const event = await trivet.webhooks.verify(request, 'whsec_x');
  // @ts-expect-error Other events have no locales.
  event.data.locales_changed;
  if (event.type !== 'entry.published') return;
  // @ts-expect-error A tag has no localized fields.
  event.data.locales_changed.length;
  if (event.data.locales_changed?.includes('de') && event.data.localized) {
    const { de } = event.data.localized;
    if (de && 'title' in de) is<typeof de.title, string | undefined>(true);
    if (de && 'bio' in de) is<typeof de.bio, string | undefined>(true);
  }
}

export function receivedLoosely(event: Extract<WebhookEvent<AnySchema>, { type: 'entry.created' }>): void {
  const title: string = event.data.localized?.['de']?.['title'];
  const code: string | undefined = event.data.locales_changed?.[0];
  void [title, code];
  // @ts-expect-error Most content types have no localized fields.
  event.data.localized['de'];
}

/** Of a tenant whose file has no locales, any code is taken. */
export async function unknownLocales(): Promise<void> {
  const post = await posts.get('ent_x', { locale: 'de', fallback: 'none' });
  is<typeof post.fields.title, string>(true);
  is<typeof post.locale, 'de'>(true);
  await posts.update('ent_x', { title: 'Gezeiten' }, { locale: 'de' });
  // @ts-expect-error It is still the title of a post.
  await posts.update('ent_x', { title: 5 }, { locale: 'de' });
  await posts.drafts.publish('ent_x', { locale: ['de'] });

  const entry = await loose.get('ent_x', { locale: '*' });
  const title: string = entry.fields['title'].de;
  await loose.create({ title: { de: title } }, { locale: '*' });
  const from: string | undefined = (await loose.get('ent_x', { locale: 'de' })).fallbacks?.['title'];
  void from;
}
