import { createClient } from '../../client/src/index.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { compileErrors } from '../support/compile.js';
import type { Schema } from './types/multilingual.js';

const LOCALES = [{ code: 'en' }, { code: 'fr', fallback: null }, { code: 'de' }, { code: 'de-CH', fallback: 'de' }];

const TYPES = [
  {
    name: 'Person',
    fields: [
      { name: 'name', type: 'text', required: true },
      { name: 'bio', type: 'text', required: true, localized: true },
    ],
  },
  {
    name: 'Page',
    fields: [
      { name: 'title', type: 'text', required: true, localized: true },
      { name: 'slug', type: 'text', unique: true, localized: true },
      { name: 'translator', type: 'reference', content_type: 'person', localized: true },
      { name: 'author', type: 'reference', content_type: 'person', required: true, on_delete: 'refuse' },
      { name: 'price', type: 'number' },
    ],
  },
];

describe('the client in locales', () => {
  let app: TestApp;
  let tenant: TestTenant;
  beforeAll(async () => {
    app = await startApp();
  });
  beforeEach(async () => {
    tenant = app.tenant();
    await tenant.http.put(`/v1/locales/${tenant.id}`, { default: 'en', locales: LOCALES }).expect(200);
    for (const type of TYPES) await tenant.http.post(`/v1/content/${tenant.id}/types`, type).expect(201);
  });
  afterAll(() => app.close());

  const client = () => createClient<Schema>({ url: app.url, tenant: tenant.id, key: tenant.key });

  async function publish(slug = 'tides') {
    const trivet = client();
    const bio = { en: 'Writes.', de: 'Schreibt.' };
    const author = await trivet.entries('person').create({ name: 'Ada', bio }, { locale: '*', status: 'published' });
    const page = await trivet
      .entries('page')
      .create(
        { title: { en: 'Tides', de: 'Gezeiten' }, slug: { en: slug }, author: author.id, price: 5 },
        { locale: '*', status: 'published' },
      );
    return { pages: trivet.entries('page'), author, page };
  }

  it('writes one locale, all of them, and the default one', async () => {
    const { pages, author, page } = await publish();
    expect(page).toMatchObject({
      locale: '*',
      fields: { title: { en: 'Tides', de: 'Gezeiten' }, slug: { en: 'tides' }, author: author.id, price: 5 },
    });
    const german = await pages.update(page.id, { title: 'Ebbe', price: 6 }, { locale: 'de', ifMatch: page.etag });
    expect(german).toMatchObject({
      locale: 'de',
      fallbacks: { slug: 'en' },
      fields: { title: 'Ebbe', slug: 'tides', price: 6 },
    });
    await pages.update(page.id, { title: { de: null, fr: 'Marées' } }, { locale: '*', ifMatch: german.etag });
    expect((await pages.get(page.id, { locale: '*' })).fields.title).toEqual({ en: 'Tides', fr: 'Marées' });
    const standard = await pages.update(page.id, { title: 'Ebb' });
    expect(standard).not.toHaveProperty('locale');
    expect(standard.fields.title).toBe('Ebb');
    const named = await pages.create({ title: 'Moon', author: author.id }, { locale: 'en' });
    expect(named).toMatchObject({ locale: 'en', fields: { title: 'Moon' } });
    await expect(
      pages.update(page.id, { title: { en: '' as never, it: 'x' } as never }, { locale: '*' }),
    ).rejects.toMatchObject({
      status: 422,
      errors: expect.arrayContaining([expect.objectContaining({ path: 'fields.title.it' })]),
    });
  });

  it('reads in a locale: with fallbacks or own values alone, translated or not, with what is included', async () => {
    const { pages, author, page } = await publish();
    await pages.update(page.id, { translator: { de: author.id } }, { locale: '*' });
    await pages.create({ title: { en: 'Moon' }, author: author.id }, { locale: '*', status: 'published' });

    const swiss = await pages.list({ locale: 'de-CH', sort: 'title', include: ['author', 'translator'] });
    expect(swiss.data.map(({ fields, fallbacks }) => [fields.title, fallbacks])).toEqual([
      ['Gezeiten', { title: 'de', slug: 'en', translator: 'de' }],
      ['Moon', { title: 'en' }],
    ]);
    expect(swiss.data[0]?.fields.translator).toMatchObject({ locale: 'de-CH', fields: { bio: 'Schreibt.' } });
    const own = await pages.list({ locale: 'de', fallback: 'none', filter: { title: { starts_with: 'Gez' } } });
    expect(own.data[0]?.fields).toEqual({ title: 'Gezeiten', translator: author.id, author: author.id, price: 5 });
    const translated = [];
    for await (const one of pages.all({ locale: 'de', translated: ['de', 'en'], per_page: 1 })) translated.push(one.id);
    expect(translated).toEqual([page.id]);
    await expect(pages.get(page.id, { translated: 'fr' })).rejects.toMatchObject({ status: 404 });
    expect((await pages.getBy('slug', 'tides', { locale: 'de' })).fields.title).toBe('Gezeiten');
    const { url } = await pages.createPreviewLink(page.id);
    const previewed = await pages.preview(url.split('/').at(-1) ?? '', { locale: 'fr', include: ['author'] });
    expect(previewed.fields).toEqual({
      author: expect.objectContaining({ locale: 'fr', fields: { name: 'Ada' } }),
      price: 5,
    });
    const all = await pages.list({ locale: '*', sort: '-title', include: ['author'] });
    expect(all.data[0]).toMatchObject({
      locale: '*',
      fields: {
        title: { en: 'Tides' },
        translator: { de: author.id },
        author: { fields: { bio: { de: 'Schreibt.' } } },
      },
    });
  });

  it('saves and publishes one language of a draft, takes it off, and brings it back', async () => {
    const { pages, page } = await publish();
    const draft = await pages.drafts.save(page.id, { title: { en: 'Ebb', de: 'Ebbe', fr: 'Reflux' } }, { locale: '*' });
    expect(draft).toMatchObject({ locale: '*', changed: ['title'], fields: { title: { fr: 'Reflux' } } });
    const german = await pages.drafts.get(page.id, { locale: 'de', fallback: 'none' });
    expect(german).toMatchObject({ locale: 'de', fields: { title: 'Ebbe' } });
    await pages.drafts.publish(page.id, { locale: ['de', 'fr'], ifMatch: draft.etag });
    await pages.drafts.discard(page.id, { locale: 'en' });
    await expect(pages.drafts.get(page.id)).rejects.toMatchObject({ status: 404 });
    expect((await pages.get(page.id, { locale: '*' })).fields.title).toEqual({ en: 'Tides', de: 'Ebbe', fr: 'Reflux' });

    const off = await pages.locales.set(page.id, 'de', { live: false });
    expect(off).toMatchObject({ code: 'de', live: false, values: 1, missing: ['slug', 'translator'] });
    expect(await pages.get(page.id, { locale: 'de' })).toMatchObject({ fields: { title: 'Tides' } });
    const lives = (await pages.locales.list(page.id)).map(({ code, live }) => [code, live]);
    expect(Object.fromEntries(lives)).toEqual({ en: true, fr: true, de: false, 'de-CH': false });
    await pages.locales.set(page.id, 'de', { live: true });
    expect(await pages.locales.count()).toContainEqual({ code: 'de', live: 1, missing: 0, behind: 0 });

    expect(await pages.versions.get(page.id, 1, { locale: 'de' })).toMatchObject({ fields: { title: 'Gezeiten' } });
    await pages.versions.restore(page.id, 1, { locale: 'de' });
    expect((await pages.get(page.id, { locale: '*' })).fields.title).toEqual({
      en: 'Tides',
      de: 'Gezeiten',
      fr: 'Reflux',
    });
  });

  it('has the types that the service writes for it', async () => {
    const { text } = await tenant.http.get(`/v1/contract/${tenant.id}/types.ts`).expect(200);
    const program = `
      import { createClient, type WebhookEvent } from '@trivet/client';
      import type { Schema } from './schema.js';
      const pages = createClient<Schema>({ url: '', tenant: '' }).entries('page');
      export const german: string = (await pages.get('x', { locale: 'de-CH' })).fields.title;
      export const all: string | undefined = (await pages.get('x', { locale: '*' })).fields.title.fr;
      // @ts-expect-error French falls back to no other locale.
      export const french: string = (await pages.get('x', { locale: 'fr' })).fields.title;
      // @ts-expect-error There is no such locale.
      await pages.get('x', { locale: 'it' });
      export function titleOf(event: Extract<WebhookEvent<Schema>, { type: 'entry.updated' }>): string | undefined {
        const { de } = event.data.localized;
        // @ts-expect-error There is no such locale.
        event.data.locales_changed.includes('it');
        return event.data.locales_changed.includes('de') && de && 'title' in de ? de.title : undefined;
      }
    `;
    expect(compileErrors({ 'schema.ts': text, 'program.ts': program })).toEqual([]);
  });
});
