import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { files } from '../support/files.js';
import { pathOf, upload } from '../support/upload.js';

describe('media in entries', () => {
  let app: TestApp;
  let tenant: TestTenant;
  let type: string;
  beforeAll(async () => {
    app = await startApp({ PUBLIC_URL: 'https://cms.example.com/base' });
  });
  beforeEach(async () => {
    tenant = app.tenant();
    type = await newType();
  });
  afterAll(() => app.close());

  const FIELDS = [
    { name: 'title', type: 'text' },
    { name: 'cover', type: 'media' },
    { name: 'gallery', type: 'media', multiple: true },
  ];
  const newType = async (fields: object[] = FIELDS): Promise<string> => {
    const { body } = await tenant.http.post(`/v1/content/${tenant.id}/types`, { name: 'Post', fields }).expect(201);
    return `/v1/content/${tenant.id}/types/${body.data.id}`;
  };
  const create = async (
    fields: object,
  ): Promise<{ id: string; content_type_id: string; fields: Record<string, { url: string; alt: string }> }> =>
    (await tenant.http.post(`${type}/entries`, { fields }).expect(201)).body.data;
  const remove = (id: string, query = '') => tenant.http.delete(`/v1/media/${tenant.id}/${id}${query}`);

  describe('by ID', () => {
    it('take URL and alt text from the file, and are then stored like any other value', async () => {
      const media = await upload(app, tenant, await files.png(), 'a.png', 'A red one');
      expect(media.url).toBe(`https://cms.example.com/base/media/${tenant.id}/${media.id}.png`);
      const { id, fields } = await create({ cover: { id: media.id } });
      expect(fields).toEqual({ cover: { url: media.url, alt: 'A red one' } });
      const got = await tenant.http.get(`${type}/entries/${id}`).expect(200);
      expect(JSON.stringify(got.body.data.fields)).toBe(
        JSON.stringify({ cover: { url: media.url, alt: 'A red one' } }),
      );
      const list = await tenant.http.get(`${type}/entries?filter[cover]=${encodeURIComponent(media.url)}`).expect(200);
      expect(list.body.meta.total).toBe(1);
    });

    it('keep the alt text that was sent', async () => {
      const media = await upload(app, tenant, await files.png(), 'a.png', 'A red one');
      expect((await create({ cover: { id: media.id, alt: 'Mine' } })).fields['cover']?.alt).toBe('Mine');
      expect((await create({ cover: { id: media.id, alt: '' } })).fields['cover']?.alt).toBe('');
      expect((await create({ cover: { id: media.id, alt: null, url: null } })).fields['cover']?.alt).toBe('A red one');
    });

    it('can be in lists, together with URLs', async () => {
      const [one, two] = [await upload(app, tenant, await files.png()), await upload(app, tenant, await files.png())];
      const other = { url: 'https://images.example/x.jpg', alt: 'x' };
      const { fields } = await create({ title: 'T', gallery: [{ id: one.id }, other, { id: two.id, alt: 'two' }] });
      expect(fields).toEqual({
        title: 'T',
        gallery: [{ url: one.url, alt: '' }, other, { url: two.url, alt: 'two' }],
      });
    });

    it('are accepted in an update', async () => {
      const media = await upload(app, tenant, await files.png());
      const { id } = await create({ title: 'T' });
      const { body } = await tenant.http
        .patch(`${type}/entries/${id}`, { fields: { cover: { id: media.id } }, status: 'published' })
        .expect(200);
      expect(body.data.fields).toEqual({ title: 'T', cover: { url: media.url, alt: '' } });
    });

    it('answer 422 if there is no such media, together with all other errors', async () => {
      const foreign = await upload(app, app.tenant(), await files.png());
      const errors = async (method: 'post' | 'patch', path: string, fields: object) => {
        const { body } = await tenant.http[method](path, { fields }).expect(422);
        return body.errors.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`).sort();
      };
      const { id } = await create({});
      for (const [method, path] of [
        ['post', `${type}/entries`],
        ['patch', `${type}/entries/${id}`],
      ] as const) {
        expect(await errors(method, path, { cover: { id: foreign.id } })).toEqual(['fields.cover.id reference']);
        expect(await errors(method, path, { cover: { id: 'med_x' } })).toEqual(['fields.cover.id reference']);
        expect(await errors(method, path, { cover: { id: 5 } })).toEqual(['fields.cover.id reference']);
        expect(await errors(method, path, { gallery: [{ id: foreign.id }], title: 5 })).toEqual([
          'fields.gallery.0.id reference',
          'fields.title type',
        ]);
        expect(await errors(method, path, { cover: { id: foreign.id, x: 1, alt: 5 } })).toEqual([
          'fields.cover.alt type',
          'fields.cover.id reference',
          'fields.cover.x unknown_property',
        ]);
      }
    });

    it('cannot be combined with a URL', async () => {
      const media = await upload(app, tenant, await files.png());
      const { body } = await tenant.http
        .post(`${type}/entries`, { fields: { cover: { id: media.id, url: media.url, alt: '' } } })
        .expect(422);
      expect(body.errors).toMatchObject([{ path: 'fields.cover.id', code: 'unknown_property' }]);
    });

    it('have no effect in fields of other types', async () => {
      type = await newType([{ name: 'data', type: 'json' }]);
      const { fields } = await create({ data: { id: 'med_x' } });
      expect(fields).toEqual({ data: { id: 'med_x' } });
    });
  });

  describe('prevent deletion of the file', () => {
    it.each([
      ['referenced by its URL', (url: string) => url],
      ['referenced by the URL of a variant', (url: string) => `${url}?w=300&format=webp`],
      ['referenced by its path', (url: string) => pathOf(url)],
      ['referenced by its path without the prefix of the service', (url: string) => pathOf(url).replace('/base', '')],
    ])('%s', async (_name, write) => {
      const media = await upload(app, tenant, await files.png());
      const entry = await create({ cover: { url: write(media.url), alt: '' } });
      const { body } = await remove(media.id).expect(409);
      expect(body.code).toBe('conflict');
      expect(body.errors).toEqual([
        {
          path: `${entry.content_type_id}.${entry.id}.fields.cover`,
          code: 'in_use',
          message: `The field cover of ${entry.id} uses the file.`,
        },
      ]);
      await tenant.http.get(`/v1/media/${tenant.id}/${media.id}`).expect(200);
    });

    it('in lists, drafts and every content type, and the response lists up to ten', async () => {
      const media = await upload(app, tenant, await files.png());
      await upload(app, tenant, await files.png());
      for (let index = 0; index < 7; index++) await create({ gallery: [{ id: media.id }], cover: { id: media.id } });
      const { body } = await remove(media.id).expect(409);
      expect(body.errors).toHaveLength(10);
      expect(new Set(body.errors.map(({ path }: { path: string }) => path)).size).toBe(10);
      await remove(media.id, '?force=false').expect(409);
      await remove(media.id, '?force=true').expect(200);
      const list = await tenant.http.get(`${type}/entries`).expect(200);
      expect(list.body.data[0].fields.cover.url).toBe(media.url);
    });

    it('but not from entries that no longer use it, in removed fields, or with other files', async () => {
      const [media, similar] = [
        await upload(app, tenant, await files.png()),
        await upload(app, tenant, await files.png()),
      ];
      const entry = await create({ cover: { id: media.id } });
      await create({ cover: { id: similar.id } });
      await tenant.http.patch(`${type}/entries/${entry.id}`, { fields: { cover: null } }).expect(200);
      await create({ title: media.url });
      await remove(media.id).expect(200);
      await tenant.http.put(type, { fields: [{ name: 'title', type: 'text' }] }).expect(200);
      await remove(similar.id).expect(200);
    });

    it('also in a service with a very long URL', async () => {
      const long = await startApp({ PUBLIC_URL: `https://${'cms.'.repeat(40)}example.com` }, {});
      try {
        tenant = long.tenant();
        const [one, two] = [
          await upload(long, tenant, await files.png()),
          await upload(long, tenant, await files.png()),
        ];
        type = await newType();
        await create({ cover: { id: one.id } });
        await remove(two.id).expect(200);
        await remove(one.id).expect(409);
      } finally {
        await long.close();
      }
    });
  });
});
