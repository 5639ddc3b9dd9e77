import { startApp, type TestApp } from '../support/app.js';
import { createType } from '../support/content.js';
import { RECEIVER_ENV, type Receiver, startReceiver } from '../support/receiver.js';
import { Subscription } from '../support/subscription.js';

const LOCALES = { default: 'en', locales: [{ code: 'en' }, { code: 'de' }, { code: 'fr' }] };
const EVENTS = ['entry.created', 'entry.updated', 'entry.published', 'entry.unpublished', 'entry.deleted'];
const FIELDS = [
  { name: 'title', type: 'text', localized: true },
  { name: 'price', type: 'number' },
];

describe('the filter `locales` of a webhook', () => {
  let app: TestApp;
  let receiver: Receiver;
  beforeAll(async () => {
    [app, receiver] = await Promise.all([startApp(RECEIVER_ENV), startReceiver()]);
  });
  afterAll(() => Promise.all([app.close(), receiver.close()]));

  it('takes codes of the tenant, and keeps those of a removed locale', async () => {
    const tenant = app.tenant();
    await tenant.http.put(`/v1/locales/${tenant.id}`, LOCALES).expect(200);
    const path = `/v1/webhooks/${tenant.id}`;
    const webhook = { url: 'https://hooks.example.com/in', events: ['entry.updated'] };
    const { body } = await tenant.http.post(path, { ...webhook, filters: { locales: ['de', 'de'] } }).expect(201);
    expect(body.data.filters).toEqual({ locales: ['de'] });
    for (const code of ['DE', 'it']) {
      const wrong = { ...webhook, filters: { locales: ['de', code] } };
      const answer = await tenant.http.post(path, wrong).expect(422);
      expect(answer.body.errors).toMatchObject([{ path: 'filters.locales.1', code: 'options' }]);
    }
    const empty = await tenant.http.post(path, { ...webhook, filters: { locales: [] } }).expect(422);
    expect(empty.body.errors).toMatchObject([{ path: 'filters.locales', code: 'length' }]);
    const fewer = { default: 'en', locales: [{ code: 'en' }] };
    await tenant.http.put(`/v1/locales/${tenant.id}`, fewer).expect(200);
    const read = await tenant.http.get(`${path}/${body.data.id}`).expect(200);
    expect(read.body.data.filters).toEqual({ locales: ['de'] });
  });

  it('keeps to changes of these locales, in deliveries, replays and their counts', async () => {
    const all = await Subscription.create(app, receiver, { events: ['entry.created'] });
    const { tenant } = all;
    await tenant.http.put(`/v1/locales/${tenant.id}`, LOCALES).expect(200);
    const german = await Subscription.create(app, receiver, { events: EVENTS, filters: { locales: ['de'] } }, all);
    const english = await Subscription.create(app, receiver, { events: EVENTS, filters: { locales: ['en'] } }, all);
    const { entries } = await createType(tenant, FIELDS);
    const { body } = await tenant.http.post(entries, { fields: { title: 'Tides' }, status: 'published' }).expect(201);
    const entry = `${entries}/${body.data.id}`;
    await tenant.http.patch(entry, { fields: { price: 5 } }).expect(200);
    await tenant.http.patch(`${entry}?locale=fr`, { fields: { title: 'Marées' } }).expect(200);
    await tenant.http.patch(`${entry}?locale=de`, { fields: { title: 'Gezeiten' } }).expect(200);
    await tenant.http.put(`${entry}/locales/de`, { live: false }).expect(200);
    await tenant.http.put(`${entry}/locales/de`, { live: true }).expect(200);
    await tenant.http.patch(entry, { status: 'draft' }).expect(200);
    await tenant.http.patch(`${entry}?locale=fr`, { fields: { title: 'Flux' } }).expect(200);
    await tenant.http.delete(entry).expect(200);
    // An entry whose content type has no localized field.
    await all.happen();

    const typesAt = async ({ path }: Subscription, count: number) =>
      (await receiver.until(path, count)).map(({ body: event }) => event.type).sort();
    const ofGerman = [
      'entry.created',
      'entry.deleted',
      'entry.unpublished',
      ...Array.from({ length: 4 }, () => 'entry.updated'),
    ];
    const ofEnglish = [
      'entry.created',
      'entry.created',
      'entry.deleted',
      'entry.published',
      'entry.unpublished',
      ...Array.from({ length: 2 }, () => 'entry.updated'),
    ];
    expect(await typesAt(german, 7)).toEqual(ofGerman);
    expect(await typesAt(english, 7)).toEqual(ofEnglish);
    expect(await german.deliveries()).toHaveLength(7);
    expect(await english.deliveries()).toHaveLength(7);

    const replay = async (of: Subscription, more: object) =>
      (await tenant.http.post(`${of.webhook}/replay`, { from: '2020-01-01T00:00:00Z', ...more }).expect(202)).body.data
        .count as number;
    const types = ['entry.created', 'entry.updated', 'entry.deleted'];
    expect(await replay(german, { types, dry_run: true })).toBe(6);
    expect(await replay(german, { types })).toBe(6);
    expect(
      (await receiver.until(german.path, 13))
        .slice(7)
        .map(({ body: event }) => event.type)
        .sort(),
    ).toEqual(ofGerman.filter((type) => types.includes(type)));
  });

  it('keeps to requests for reviews of drafts in these locales', async () => {
    const events = ['entry.review_requested'];
    const all = await Subscription.create(app, receiver, { events });
    const { tenant } = all;
    await tenant.http.put(`/v1/locales/${tenant.id}`, LOCALES).expect(200);
    const german = await Subscription.create(app, receiver, { events, filters: { locales: ['de'] } }, all);
    const { entries } = await createType(tenant, FIELDS);
    const plain = await createType(tenant, [{ name: 'title', type: 'text' }], 'Plain');
    const add = async (path: string, fields: object, status = 'published') => {
      const { body } = await tenant.http.post(path, { fields, status }).expect(201);
      return `${path.replace('?locale=*', '')}/${body.data.id}`;
    };
    const entry = await add(`${entries}?locale=*`, { title: { en: 'Tides', fr: 'Marées' } });
    const ask = (path: string) => tenant.http.put(`${path}/draft/review`, {}).expect(200);
    for (const [locale, fields] of [
      ['fr', { title: 'Flux' }],
      ['de', { title: 'Ebbe', price: 5 }],
    ] as const) {
      await tenant.http.patch(`${entry}/draft?locale=${locale}`, { fields }).expect(200);
      await ask(entry);
    }
    await ask(await add(`${entries}?locale=*`, { title: { en: 'Moon', de: 'Mond' } }, 'draft'));
    await ask(await add(entries, { title: 'Star' }, 'draft'));
    await ask(await add(plain.entries, { title: 'Plain' }, 'draft'));
    const localesAt = async ({ path }: Subscription, count: number) =>
      (await receiver.until(path, count)).map(({ body: event }) => event.data.locales_changed).sort();
    expect(await localesAt(all, 5)).toEqual([['de', 'en'], ['de', 'en', 'fr'], ['en'], ['fr'], undefined]);
    expect(await localesAt(german, 3)).toEqual([['de', 'en'], ['de', 'en', 'fr'], undefined]);
    expect(await german.deliveries()).toHaveLength(3);
  });
});
