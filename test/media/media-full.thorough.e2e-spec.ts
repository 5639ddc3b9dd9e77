import { randomBytes } from 'node:crypto';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { files } from '../support/files.js';
import { type TestMedia, upload } from '../support/upload.js';

const FIELDS = [
  { name: 'title', type: 'text' },
  { name: 'cover', type: 'media' },
  { name: 'gallery', type: 'media', multiple: true },
  { name: 'sections', type: 'blocks', blocks: [{ name: 'picture', fields: [{ name: 'file', type: 'media' }] }] },
  { name: 'data', type: 'json' },
  { name: 'parent', type: 'reference', content_type: 'page' },
];
const BASE = 'https://cms.example.com';
const [SIGNED, SIGNED_KEY] = ['ten_signed', 'test-key-of-signed-variants'];

describe('media values in full', () => {
  let app: TestApp;
  let tenant: TestTenant;
  let type: string;
  let image: TestMedia;
  let text: TestMedia;
  beforeAll(async () => {
    app = await startApp({ PUBLIC_URL: BASE });
  });
  beforeEach(async () => {
    tenant = app.tenant();
    await newType();
    image = await upload(app, tenant, await files.png(500, 250), 'a.png', 'Red');
    text = await upload(app, tenant, Buffer.from('Some text\n'), 'a.txt');
  });
  afterAll(() => app.close());

  const newType = async () => {
    await tenant.http
      .post(`/v1/content/${tenant.id}/types`, { name: 'Page', slug: 'page', public: true, fields: FIELDS })
      .expect(201);
    type = `/v1/content/${tenant.id}/types/page/entries`;
  };
  const create = async (fields: object): Promise<string> =>
    (await tenant.http.post(type, { fields, status: 'published' }).expect(201)).body.data.id;
  const get = async (path: string) => (await tenant.http.get(`${type}${path}`).expect(200)).body;
  const value = (url: string, alt = 'x') => ({ url, alt });
  const detailed = (url: string, alt = 'x') => ({
    url,
    alt,
    id: image.id,
    mime_type: 'image/png',
    width: 500,
    height: 250,
    variants: [160, 240, 320, 480].map((width) => ({ width, url: `${image.url}?w=${width}` })),
  });
  const valuesOf = (shown: (url: string, alt?: string) => object) => ({
    title: '"alt":"}',
    cover: shown(image.url, 'quotes "} and \\ ü'),
    gallery: [value('https://images.example/x.png'), shown(`${image.url}?w=160`)],
    sections: [{ block: 'picture', file: shown(image.url) }],
    data: { cover: value(image.url) },
  });

  it('have the properties of the file with view=full, and are as documented without', async () => {
    const parent = await create({ cover: value(text.url) });
    const id = await create({ ...valuesOf(value), parent });
    const full = { ...valuesOf(detailed), parent };
    expect((await get(`/${id}?view=full`)).data.fields).toEqual(full);
    expect((await get('?view=full&per_page=1')).data[0].fields).toEqual(full);
    expect((await get(`/${id}`)).data.fields).toEqual({ ...valuesOf(value), parent });
    const header = await tenant.http.get(`${type}/${id}`).set('Trivet-Shape', 'full').expect(200);
    expect(header.body.data.fields).toEqual(full);
    const { included } = await get(`/${id}?view=full&include=parent&select=cover`);
    expect(included[parent].fields.cover).toEqual({
      ...value(text.url),
      id: text.id,
      mime_type: 'text/plain',
      variants: [],
    });
    await app.client().get(`${type}/${id}?view=full`).expect(200);
    await tenant.http.get(`${type}/${id}?view=half`).expect(400);
  });

  it('are shown in the answers to writes too, as far as the key may read the entry', async () => {
    const cover = detailed(image.url, 'Red');
    const sent = { fields: { title: 'T', cover: { id: image.id } }, status: 'published' };
    const created = (await tenant.http.post(`${type}?view=full`, sent).expect(201)).body.data;
    expect(created.fields).toEqual({ title: 'T', cover });
    const path = `${type}/${created.id}`;
    const read = async () => (await get(`/${created.id}?view=full`)).data;
    const patched = await tenant.http
      .patch(path, { fields: { gallery: [value(image.url)] } })
      .set('Trivet-Shape', 'full')
      .expect(200);
    expect(patched.body.data.fields.gallery).toEqual([detailed(image.url)]);
    expect(patched.body.data).toEqual(await read());
    await tenant.http.patch(`${path}/draft`, { fields: { title: 'New' } }).expect(200);
    expect((await tenant.http.post(`${path}/draft/publish?view=full`).expect(200)).body.data).toEqual(await read());
    expect((await tenant.http.post(`${path}/versions/2/restore?view=full`).expect(200)).body.data).toEqual(
      await read(),
    );
    const plain = (await tenant.http.patch(path, { fields: { title: 'Plain' } }).expect(200)).body.data;
    expect(plain.fields.cover).toEqual(value(image.url, 'Red'));

    const scopes = ['content:write'];
    const { body } = await tenant.http.post(`/v1/keys/${tenant.id}`, { name: 'writer', scopes }).expect(201);
    const writer = app.client(`Bearer ${body.data.key}`);
    const blind = (await writer.post(`${type}?view=full`, sent).expect(201)).body.data;
    expect(blind.fields.cover).toEqual(value(image.url, 'Red'));
  });

  it('are those of the media fields that include names', async () => {
    const parent = await create(valuesOf(value));
    const id = await create({ ...valuesOf(value), parent });
    const shown = { ...valuesOf(value), parent };
    const [cover, sections] = [valuesOf(detailed).cover, valuesOf(detailed).sections];
    expect((await get(`/${id}?include=cover`)).data.fields).toEqual({ ...shown, cover });
    expect((await get('?include=cover,sections.file&per_page=1')).data[0].fields).toEqual({
      ...shown,
      cover,
      sections,
    });
    expect((await get(`/${id}?include=cover&select=cover`)).data.fields).toEqual({ cover });
    const { data, included } = await get(`/${id}?include=parent.cover`);
    expect(data.fields).toEqual(shown);
    expect(included[parent].fields).toEqual({ ...valuesOf(value), cover });
    const { body } = await tenant.http.get(`${type}/${id}?include=covers`).expect(400);
    expect(body.code).toBe('unknown_field');
    expect(body.detail).toContain('cover');
  });

  it('can be sent back, and are refused with properties that are not those of the file', async () => {
    const fields = {
      title: 'T',
      cover: value(image.url),
      gallery: [value(image.url), value('https://example.com/a.png')],
    };
    const id = await create(fields);
    const shown = (await get(`/${id}?view=full`)).data.fields;
    expect(shown.cover).toEqual(detailed(image.url));
    await tenant.http.patch(`${type}/${id}`, { fields: shown }).expect(200);
    await tenant.http.patch(`${type}/${id}/draft`, { fields: shown }).expect(200);
    await tenant.http.post(type, { fields: shown }).expect(422);
    expect((await get(`/${id}?view=full`)).data.fields).toEqual(shown);
    for (const wrong of [{ width: 1 }, { id: 'med_x' }, { colour: 'red' }, { variants: [] }]) {
      const cover = { ...shown.cover, ...wrong };
      const { body } = await tenant.http.patch(`${type}/${id}`, { fields: { cover } }).expect(422);
      expect(body.errors).toContainEqual(
        expect.objectContaining({ path: `fields.cover.${Object.keys(wrong)[0]}`, code: 'unknown_property' }),
      );
    }
  });

  it('are shown in previews, and have the properties of files only while these exist', async () => {
    const id = await create({ title: 'T' });
    await tenant.http.patch(`${type}/${id}/draft`, { fields: { cover: { id: image.id, alt: 'x' } } }).expect(200);
    expect((await get(`/${id}?preview=true&view=full`)).data.fields.cover).toEqual(detailed(image.url));
    const link = await tenant.http.post(`${type}/${id}/preview-links`, {}).expect(201);
    const path = new URL(link.body.data.url as string).pathname;
    const followed = await app.client().get(`${path}?include=cover`).expect(200);
    expect(followed.body.data.fields.cover).toEqual(detailed(image.url));
    await tenant.http.delete(`/v1/media/${tenant.id}/${image.id}?force=true`).expect(200);
    expect((await get(`/${id}?preview=true&view=full`)).data.fields.cover).toEqual(value(image.url));
  });

  it('are shown of large entries too, however many they are', async () => {
    const gallery = Array.from({ length: 1_000 }, (_, index) => value(image.url, `${index} "}`));
    const id = await create({ ...valuesOf(value), gallery });
    await create({ title: 'small' });
    const { data } = await get('?view=full');
    expect(data[1].id).toBe(id);
    expect(data[1].fields).toEqual({
      ...valuesOf(detailed),
      gallery: gallery.map(({ alt }) => detailed(image.url, alt)),
    });
  });

  it('are at most 5,000 in a response, without those of large entries', async () => {
    const gallery = Array.from({ length: 450 }, () => value(image.url));
    for (let index = 0; index < 12; index++) await create({ gallery });
    const { body } = await tenant.http.get(`${type}?view=full`).expect(400);
    expect(body.errors).toMatchObject([{ path: 'view' }]);
    expect((await get('?include=gallery&per_page=11')).data[10].fields.gallery[449]).toEqual(detailed(image.url));
  });

  it('have signed variants where variants must be signed', async () => {
    const TENANTS = JSON.stringify([
      { id: SIGNED, name: 'Signed', media: { signed_variants: true }, api_keys: [{ key: SIGNED_KEY }] },
    ]);
    const ENCRYPTION_KEY = randomBytes(32).toString('base64');
    const signed = await startApp({ PUBLIC_URL: BASE, TENANTS, ENCRYPTION_KEY });
    try {
      tenant = { id: SIGNED, key: SIGNED_KEY, publishedKey: '', http: signed.client(`Bearer ${SIGNED_KEY}`) };
      await newType();
      const { url } = await upload(signed, tenant, await files.png(500, 250));
      const id = await create({ cover: value(url) });
      const { variants } = (await get(`/${id}?view=full`)).data.fields.cover;
      expect(variants).toHaveLength(4);
      const { pathname, search } = new URL(variants[0].url as string);
      await signed.client().get(`${pathname}${search}`).expect(200);
      await signed.client().get(`${pathname}?w=160`).expect(403);
    } finally {
      await signed.close();
    }
  });
});
