import { expectConsistentContent } from '../../support/consistency.js';
import { countsOf, ImportScene } from './scene.js';

describe('an import from Contentful', () => {
  let scene: ImportScene;
  beforeAll(async () => {
    scene = await ImportScene.start();
  });
  afterAll(() => scene.close());

  it('takes locales, types, entries, files, rich text and links that go in circles', async () => {
    const tenant = scene.app.tenant();
    const result = await scene.import(tenant, 'contentful', await scene.fixture('contentful.json'));
    expect(result.source).toBe('space1');
    expect(countsOf(result, 'blog-post')).toEqual([2, 0, 0, 0]);
    expect(countsOf(result, 'person')).toEqual([1, 0, 0, 0]);
    expect(result.files).toEqual({ stored: 1, kept: 0, failed: 0 });
    const { body: locales } = await tenant.http.get(`/v1/locales/${tenant.id}`).expect(200);
    expect(locales.data).toMatchObject({
      default: 'en-US',
      locales: [{ code: 'en-US' }, { code: 'de', fallback: 'en-US' }],
    });

    const [archived, tide] = await scene.entries(tenant, 'blog-post', 'sort=title&locale=*');
    const [ada] = await scene.entries(tenant, 'person');
    const [asset] = await scene.entries(tenant, 'asset', 'locale=*');
    const file = asset!.fields['file'] as { url: string };
    expect(asset!.fields).toMatchObject({ title: { 'en-US': 'Cup', de: 'Tasse' }, description: { 'en-US': 'A cup' } });
    expect(tide!.status).toBe('published');
    expect(tide!.fields).toEqual({
      title: { 'en-US': 'Tide', de: 'Gezeiten' },
      status_: 'hot',
      body: {
        'en-US':
          `<h2>High &amp; low</h2><p><b>See </b><a data-entry="${archived!.id}">the other</a></p>` +
          `<img src="${file.url}" alt="A cup"><div data-entry="${ada!.id}"></div>`,
      },
      hero: { url: file.url, alt: 'A cup' },
      gallery: [{ url: file.url, alt: 'A cup' }],
      author: ada!.id,
      related: [archived!.id],
      tags: ['sea', 'moon'],
      date: '2024-05-01T10:00+02:00',
      price: 1.5,
      place: { lat: 54, lon: 8 },
      extra: { a: [1, null] },
    });
    expect(archived).toMatchObject({ status: 'draft', fields: { related: [tide!.id] } });
    expect(ada!.fields).toEqual({ name: 'Ada', favourite: tide!.id });

    const messages = result.report.map(({ message }) => message).join('\n');
    for (const word of [
      'archived',
      'Tags',
      'Webhooks',
      'required',
      'range',
      'slug',
      'another name',
      'missing',
      'data-entry',
      'not published',
    ]) {
      expect(messages).toContain(word);
    }
    await expectConsistentContent(scene.app.database, tenant.id);
  });

  it('doubles nothing when it is run again', async () => {
    const tenant = scene.app.tenant();
    const path = await scene.fixture('contentful.json');
    await scene.import(tenant, 'contentful', path);
    const before = await scene.state(tenant);
    const again = await scene.import(tenant, 'contentful', path);
    expect([countsOf(again, 'blog-post'), countsOf(again, 'person')]).toEqual([
      [0, 0, 2, 0],
      [0, 0, 1, 0],
    ]);
    expect(again.files).toEqual({ stored: 0, kept: 1, failed: 0 });
    expect(await scene.state(tenant)).toEqual(before);
  });

  it('keeps two sources apart, and what the tenant had', async () => {
    const tenant = scene.app.tenant();
    // Its name is a number.
    const type = { name: 'Person', slug: 'person', fields: [{ name: 'name', type: 'integer' }] };
    await tenant.http.post(`/v1/content/${tenant.id}/types`, type).expect(201);
    await tenant.http.post(`/v1/content/${tenant.id}/types/person/entries`, { fields: { name: 36 } }).expect(201);
    const path = await scene.fixture('contentful.json');
    const first = await scene.import(tenant, 'contentful', path);
    expect(first.report.find(({ message }) => message.includes('of another kind'))?.where).toEqual([
      'person.name: name_2',
    ]);
    const other = await scene.import(tenant, 'contentful', path, '--source', 'other');
    expect(countsOf(other, 'person')).toEqual([1, 0, 0, 0]);
    // The title is unique.
    expect(countsOf(other, 'blog-post')).toEqual([0, 0, 0, 2]);
    const people = await scene.entries(tenant, 'person');
    expect(people.map(({ fields }) => fields['name_2'] ?? fields['name']).sort()).toEqual([36, 'Ada', 'Ada'].sort());
    await expectConsistentContent(scene.app.database, tenant.id);
  });

  it('refuses files that are something else, with 3', async () => {
    const tenant = scene.app.tenant();
    const wrong: Record<string, string> = {
      'none.json': '',
      'list.json': '[]',
      'early.json': '{"contentTypes":[{"sys":{"id":"a"},"name":"A","fields":[]}],"entries":[{',
      'other.json': '{"entries":[]}',
      'text.json': 'Hello',
      'strange.json': '{"contentTypes":[{"sys":{"id":"a"},"name":"A","fields":[]}],"entries":[{"fields":{}}]}',
      'deep.json': `{"entries":[${'['.repeat(200_000)}`,
    };
    for (const [name, content] of Object.entries(wrong)) {
      const { code, stderr } = await scene
        .commands(tenant)
        .run('import', 'contentful', await scene.file(name, content));
      expect([name, code, stderr.slice(0, 7)]).toEqual([name, 3, 'error: ']);
    }
  });
});
