import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { expectConsistentContent } from '../support/consistency.js';
import { createType, type TestType } from '../support/content.js';

const FIELDS = [
  { name: 'slug', type: 'text', unique: true },
  { name: 'title', type: 'text', localized: true },
  { name: 'tags', type: 'text', localized: true, multiple: true },
];

describe('many entries in several locales', () => {
  let app: TestApp;
  let tenant: TestTenant;
  let type: TestType;
  beforeAll(async () => {
    app = await startApp();
  });
  beforeEach(async () => {
    tenant = app.tenant();
    const locales = [{ code: 'en' }, { code: 'de' }];
    await tenant.http.put(`/v1/locales/${tenant.id}`, { default: 'en', locales }).expect(200);
    type = await createType(tenant, FIELDS);
  });
  afterEach(() => expectConsistentContent(app.database, tenant.id));
  afterAll(() => app.close());

  const bulk = (operations: object[], more: object = {}) =>
    tenant.http.post(`/v1/content/${tenant.id}/bulk`, {
      operations: operations.map((one) => ({ content_type: type.id, ...one })),
      ...more,
    });
  const all = async () => {
    const { body } = await tenant.http.get(`${type.entries}?locale=*&sort=slug`).expect(200);
    return (body.data as { fields: object }[]).map(({ fields }) => fields);
  };
  const add = async () => {
    const fields = { slug: 'a', title: { en: 'Tides', de: 'Gezeiten' }, tags: { en: ['sea', 'moon'], de: ['Meer'] } };
    await bulk([
      { op: 'create', fields, locale: '*' },
      { op: 'create', fields: { slug: 'b', title: 'Ebbe' }, locale: 'de' },
    ]).expect(200);
    return [fields, { slug: 'b', title: { de: 'Ebbe' } }];
  };

  it('are written by bulk operations, each in its locale', async () => {
    expect(await all()).toEqual([]);
    const made = await add();
    expect(await all()).toEqual(made);
    await bulk([
      { op: 'upsert', key: { slug: 'b' }, fields: { title: 'Ebb' } },
      { op: 'upsert', key: { slug: 'a' }, fields: { title: 'Tiden' }, locale: 'de' },
    ]).expect(200);
    expect(await all()).toMatchObject([{ title: { en: 'Tides', de: 'Tiden' } }, { title: { en: 'Ebb', de: 'Ebbe' } }]);
    const { body } = await bulk(
      [
        { op: 'create', fields: { title: 'x' }, locale: 'it' },
        { op: 'create', fields: { title: { de: 5 } }, locale: '*' },
        { op: 'create', fields: { title: 'x' }, locale: 5 },
      ],
      { atomic: false },
    ).expect(200);
    const paths = body.data.map(({ problem }: { problem: { errors: { path: string }[] } }) =>
      problem.errors.map(({ path }) => path),
    );
    expect(paths).toEqual([['locale'], ['fields.title.de'], ['locale']]);
  });

  it.each(['csv', 'ndjson'])('are exported with all locales as %s, and imported back', async (format) => {
    const made = await add();
    const exported = await tenant.http.get(`${type.entries}/export?format=${format}&locale=*&sort=slug`).buffer(true);
    expect(exported.headers['trivet-locale']).toBeUndefined();
    const text = exported.text ?? String(exported.body);
    if (format === 'csv') expect(text.split('\n')[0]?.trim()).toBe('slug,title,title@de,tags,tags@de,status');
    const other = await createType(tenant, FIELDS, 'Other');
    const contentType = format === 'csv' ? 'text/csv' : 'application/x-ndjson';
    await tenant.http.post(`${other.entries}/import`).set('Content-Type', contentType).send(text).expect(200);
    const { body } = await tenant.http.get(`${other.entries}?locale=*&sort=slug`).expect(200);
    expect(body.data.map(({ fields }: { fields: object }) => fields)).toEqual(made);
  });

  it('are exported in one locale, which an import must be told', async () => {
    await add();
    const exported = await tenant.http.get(`${type.entries}/export?locale=de&sort=slug`).buffer(true);
    expect(exported.headers['trivet-locale']).toBe('de');
    const text = exported.text ?? String(exported.body);
    const fields = text
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { fields: object }).fields);
    expect(fields).toMatchObject([{ title: 'Gezeiten' }, { title: 'Ebbe' }]);
    const other = await createType(tenant, FIELDS, 'Other');
    const post = (lines: string) =>
      tenant.http.post(`${other.entries}/import?locale=de`).set('Content-Type', 'application/x-ndjson').send(lines);
    await post('{"fields":{"slug":"a","title":"Gezeiten"}}\n').expect(200);
    const { body } = await tenant.http.get(`${other.entries}?locale=*`).expect(200);
    expect(body.data).toMatchObject([{ fields: { slug: 'a', title: { de: 'Gezeiten' } } }]);
  });

  describe('with a key that is localized', () => {
    const PAGES = [
      { name: 'slug', type: 'text', unique: true, localized: true },
      { name: 'title', type: 'text', localized: true },
      { name: 'author', type: 'reference', content_type: 'page', localized: true },
      { name: 'price', type: 'number' },
    ];
    const TIDES = { slug: { en: 'tides', de: 'gezeiten' }, title: { en: 'Tides', de: 'Gezeiten' }, price: 5 };
    const EBB = { slug: { de: 'ebbe' }, title: { de: 'Ebbe' } };
    let pages: TestType;

    beforeEach(async () => {
      pages = await createType(tenant, PAGES, 'Page');
    });

    const load = async (path: string, text: string, format = 'ndjson', status = 200) => {
      const contentType = format === 'csv' ? 'text/csv' : 'application/x-ndjson';
      const { text: answer, body } = await tenant.http
        .post(`${pages.entries}/${path}`)
        .set('Content-Type', contentType)
        .send(text)
        .buffer(true)
        .expect(status);
      const lines = (answer ?? String(body)).trim().split('\n');
      return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    };
    const lines = (...entries: object[]) => entries.map((fields) => `${JSON.stringify({ fields })}\n`).join('');
    const stored = async () => {
      const { body } = await tenant.http.get(`${pages.entries}?locale=*&sort=created_at`).expect(200);
      return (body.data as { fields: object }[]).map(({ fields }) => fields);
    };
    const exported = async (query: string) => {
      const answer = await tenant.http.get(`${pages.entries}/export?${query}&sort=created_at`).buffer(true).expect(200);
      return answer.text ?? String(answer.body);
    };

    it('are found by the value of the locale of the line', async () => {
      await load('import?locale=*', lines(TIDES, EBB));
      const german = lines({ slug: 'gezeiten', title: 'Tiden' }, { slug: 'ebbe', price: 3 });
      const [done] = await load('import?locale=de&key=slug', german);
      expect(done).toEqual({ done: true, created: 0, updated: 2, unchanged: 0, failed: 0 });
      const csv = await load('import?locale=de&key=slug', 'slug,title\ngezeiten,Tide\n', 'csv');
      expect(csv).toEqual([{ done: true, created: 0, updated: 1, unchanged: 0, failed: 0 }]);
      expect(await stored()).toEqual([
        { ...TIDES, title: { en: 'Tides', de: 'Tide' } },
        { ...EBB, price: 3 },
      ]);
    });

    it('are not found by a value of another locale', async () => {
      await load('import', lines({ slug: 'tides' }));
      const [done] = await load('import?locale=de&key=slug', lines({ slug: 'tides', title: 'Gezeiten' }));
      expect(done).toMatchObject({ created: 1, updated: 0 });
      expect(await stored()).toEqual([{ slug: { en: 'tides' } }, { slug: { de: 'tides' }, title: { de: 'Gezeiten' } }]);
    });

    it('are found by the value of the default locale with all locales, or else by that of another one', async () => {
      await load('import?locale=*', lines(TIDES, EBB));
      const [done] = await load('import?locale=*&key=slug', lines({ ...TIDES, price: 6 }, { ...EBB, price: 7 }));
      expect(done).toMatchObject({ created: 0, updated: 2, failed: 0 });
      expect(await stored()).toEqual([
        { ...TIDES, price: 6 },
        { ...EBB, price: 7 },
      ]);
      const failed = await load('import?locale=*&key=slug', lines({ title: { en: 'x' } }, { slug: {} }, { slug: 'x' }));
      const paths = failed.flatMap(({ problem }) => (problem as { errors: { path: string }[] } | undefined)?.errors[0]);
      expect(paths.map((error) => error?.path)).toEqual(['fields.slug', 'fields.slug', 'fields.slug', undefined]);
      const taken = await load('import?locale=*&key=slug', lines({ slug: { en: 'tides', de: 'ebbe' } }));
      expect(taken[0]).toMatchObject({ problem: { errors: [{ path: 'fields.slug.de', code: 'unique' }] } });
    });

    it('are found by an upsert of a bulk request', async () => {
      await load('import?locale=*', lines(TIDES, EBB));
      const upsert = (key: object, fields: object, locale: string) => ({
        ...{ op: 'upsert', content_type: pages.id, key, fields, locale },
      });
      const { body } = await bulk(
        [
          { op: 'create', content_type: pages.id, ref: 'new', fields: { slug: 'flood' } },
          upsert({ slug: 'gezeiten' }, { title: 'Tiden', author: { $ref: 'new' } }, 'de'),
          upsert({ slug: { de: 'ebbe' } }, { author: { de: { $ref: 'new' } } }, '*'),
        ],
        { atomic: true },
      ).expect(200);
      expect(body.meta).toMatchObject({ created: 1, updated: 2 });
      const author = { de: body.data[0].entry_id };
      expect(await stored()).toMatchObject([
        { slug: TIDES.slug, title: { en: 'Tides', de: 'Tiden' }, author },
        { slug: EBB.slug, author },
        { slug: { en: 'flood' } },
      ]);
      const { body: refused } = await bulk(
        [
          upsert({ slug: 'ebbe' }, {}, '*'),
          upsert({ slug: { de: 5 } }, {}, '*'),
          upsert({ 'slug@de': 'ebbe' }, {}, 'de'),
          upsert({ slug: 'x' }, { author: { $ref: 'nobody' } }, 'de'),
          { op: 'create', content_type: type.id, fields: {}, locale: 'it' },
        ],
        { atomic: false },
      ).expect(200);
      const errors = refused.data.map(({ problem }: { problem: { errors: { path: string }[] } }) =>
        problem.errors.map(({ path }) => path),
      );
      expect(errors).toEqual([['key.slug'], ['key.slug.de'], ['key.slug@de'], ['fields.author'], ['locale']]);
    });

    it.each(['csv', 'ndjson'])('come back from an export with all locales as %s, also twice', async (format) => {
      await load('import?locale=*', lines(TIDES, EBB));
      const text = await exported(`format=${format}&locale=*`);
      const before = await stored();
      for (const locale of ['', '&locale=*']) {
        const [done] = await load(`import?key=slug${locale}`, text, format);
        expect(done).toEqual({ done: true, created: 0, updated: 0, unchanged: 2, failed: 0 });
      }
      pages = await createType(tenant, PAGES, 'Other');
      for (const result of [{ created: 2 }, { unchanged: 2 }]) {
        expect(await load('import?locale=*&key=slug', text, format)).toMatchObject([{ ...result, failed: 0 }]);
      }
      expect(await stored()).toEqual(before);
    });

    it.each(['csv', 'ndjson'])('come back from an export of German values as %s', async (format) => {
      await load('import?locale=*', lines(TIDES, EBB));
      const text = await exported(`format=${format}&locale=de&fallback=none`);
      const [same] = await load('import?locale=de&key=slug', text, format);
      expect(same).toEqual({ done: true, created: 0, updated: 0, unchanged: 2, failed: 0 });
      const changed = text.replace('Gezeiten', 'Tiden');
      expect(await load('import?locale=de&key=slug', changed, format)).toMatchObject([{ updated: 1, unchanged: 1 }]);
      expect(await stored()).toMatchObject([{ title: { en: 'Tides', de: 'Tiden' } }, EBB]);
      pages = await createType(tenant, PAGES, 'Other');
      expect(await load('import?locale=de', changed, format)).toMatchObject([{ created: 2, failed: 0 }]);
      expect(await stored()).toEqual([{ slug: { de: 'gezeiten' }, title: { de: 'Tiden' }, price: 5 }, EBB]);
    });

    it('are read from CSV whose columns name the default locale, and refused where they contradict the request', async () => {
      await load('import', 'slug@en,title@de,price\ntides,Gezeiten,5\n', 'csv');
      expect(await stored()).toEqual([{ slug: { en: 'tides' }, title: { de: 'Gezeiten' }, price: 5 }]);
      const errorsOf = async (path: string, header: string) => {
        const [last] = await load(path, `${header}\n`, 'csv', 422);
        return (last as { errors: { path: string; message: string }[] }).errors;
      };
      expect(await errorsOf('import?locale=de', 'slug,title@de')).toMatchObject([
        { path: 'header.title@de', message: expect.stringContaining('locale=*') },
      ]);
      expect(await errorsOf('import', 'title,title@en,title@it,price@de')).toMatchObject([
        { path: 'header.title@en', code: 'duplicate' },
        { path: 'header.title@it' },
        { path: 'header.price@de' },
      ]);
      expect(await errorsOf('import?locale=*&key=slug', 'title')).toMatchObject([{ path: 'header.slug' }]);
      const cells = await load('import?locale=*', 'slug,author@de,title@de\na,x,y\n', 'csv');
      expect(cells[0]).toMatchObject({ line: 2, problem: { errors: [{ path: 'fields.author.de' }] } });
      await tenant.http.post(`${pages.entries}/import?key=slug@de`).type('text/csv').send('a\n').expect(400);
      for (const { entries } of [type, pages]) {
        const { body } = await tenant.http.post(`${entries}/import?locale=it`).type('text/csv').send('a\n').expect(400);
        expect(body).toMatchObject({ code: 'invalid_parameter', errors: [{ path: 'locale' }] });
      }
    });
  });

  it.each(['it', '👩‍👧'])('are not exported in a locale that the tenant does not have: %s', async (locale) => {
    const path = `${type.entries}/export?locale=${encodeURIComponent(locale)}`;
    const { body } = await tenant.http.get(path).expect(400);
    expect(body).toMatchObject({ code: 'invalid_parameter', errors: [{ path: 'locale' }] });
  });
});
