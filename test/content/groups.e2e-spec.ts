import { type TestApp, startApp, type TestTenant } from '../support/app.js';
import { createEntries, createType, type TestType } from '../support/content.js';

const SEO = {
  name: 'seo',
  type: 'group',
  fields: [
    { name: 'title', type: 'text', required: true, max: 60 },
    { name: 'words', type: 'text', multiple: true },
    { name: 'rank', type: 'integer' },
    { name: 'social', type: 'group', fields: [{ name: 'handle', type: 'text' }] },
  ],
};

const SECTIONS = {
  name: 'sections',
  type: 'blocks',
  blocks: [
    {
      name: 'quote',
      label: 'A quote',
      fields: [
        { name: 'title', type: 'text', required: true, pattern: '^[A-Z]' },
        { name: 'body', type: 'rich_text' },
      ],
    },
    {
      name: 'gallery',
      fields: [
        { name: 'image', type: 'media' },
        { name: 'links', type: 'group', multiple: true, fields: [{ name: 'url', type: 'url', required: true }] },
      ],
    },
  ],
};

const FIELDS = [{ name: 'title', type: 'text' }, SEO, SECTIONS];

describe('groups and blocks', () => {
  let app: TestApp;
  let tenant: TestTenant;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());
  beforeEach(() => {
    tenant = app.tenant();
  });

  const types = () => `/v1/content/${tenant.id}/types`;
  const ids = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id);
  const faults = (body: { errors: { path: string; code: string }[] }) =>
    body.errors.map(({ path, code }) => `${path} ${code}`);
  const create = async (type: TestType, fields: object, status = 'draft') =>
    (await tenant.http.post(type.entries, { fields, status }).expect(201)).body.data as { id: string; fields: object };

  describe('definitions', () => {
    it('are returned as they were sent', async () => {
      const { body } = await tenant.http.post(types(), { name: 'Page', fields: FIELDS }).expect(201);
      expect(body.data.fields).toEqual(FIELDS);
    });

    it('report every error with its whole path', async () => {
      const fields = [
        {
          name: 'a',
          type: 'group',
          fields: [
            { name: 'x', type: 'text', unique: true },
            { name: 'x', type: 'txt' },
          ],
        },
        {
          name: 'b',
          type: 'blocks',
          multiple: true,
          blocks: [
            { name: 'c', fields: [{ name: 'block', type: 'text', default: 'x' }] },
            { name: 'c', fields: {}, icon: 'x' },
            { name: 'id', label: 1 },
            null,
          ],
        },
        { name: 'd', type: 'group' },
        { name: 'e', type: 'blocks', blocks: [] },
        { name: 'f', type: 'text', fields: [] },
        { name: 'g', type: 'group', fields: [{ name: 'h', type: 'reference', content_type: 'nowhere' }] },
      ];
      const { body } = await tenant.http.post(types(), { name: 'Page', fields }).expect(422);
      expect(faults(body)).toEqual([
        'fields.0.fields.0.unique not_applicable',
        'fields.0.fields.1.name duplicate',
        'fields.0.fields.1.type unsupported',
        'fields.1.multiple not_applicable',
        'fields.1.blocks.0.fields.0.name reserved',
        'fields.1.blocks.0.fields.0.default not_applicable',
        'fields.1.blocks.1.name duplicate',
        'fields.1.blocks.1.icon unknown_property',
        'fields.1.blocks.1.fields type',
        'fields.1.blocks.2.name reserved',
        'fields.1.blocks.2.label type',
        'fields.1.blocks.2.fields required',
        'fields.1.blocks.3 type',
        'fields.2.fields required',
        'fields.3.blocks length',
        'fields.4.fields not_applicable',
        'fields.5.fields.0.content_type reference',
      ]);
    });

    it('may have blocks without fields, as dividers', async () => {
      const blocks = [
        { name: 'rule', fields: [] },
        { name: 'quote', fields: [{ name: 'text', type: 'text' }] },
      ];
      const type = await createType(tenant, [{ name: 'sections', type: 'blocks', blocks }]);
      const sections = [{ block: 'quote', text: 'Tides' }, { block: 'rule' }];
      const { body } = await tenant.http.post(type.entries, { fields: { sections } }).expect(201);
      expect(body.data.fields).toEqual({ sections });
      await tenant.http.post(type.entries, { fields: { sections: [{ block: 'rule', text: 'x' }] } }).expect(422);
    });

    it('nest up to 5 levels', async () => {
      const nested = (levels: number): object[] =>
        levels === 0
          ? [{ name: 'x', type: 'text' }]
          : [
              levels % 2 === 0
                ? { name: 'g', type: 'group', fields: nested(levels - 1) }
                : { name: 'b', type: 'blocks', blocks: [{ name: 'k', fields: nested(levels - 1) }] },
            ];
      await tenant.http.post(types(), { name: 'Five', fields: nested(5) }).expect(201);
      const { body } = await tenant.http.post(types(), { name: 'Six', fields: nested(6) }).expect(422);
      expect(faults(body)).toEqual([
        'fields.0.fields.0.blocks.0.fields.0.fields.0.blocks.0.fields.0.fields.0.type too_deep',
      ]);
    });

    it('are at most 300 in all', async () => {
      const texts = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `t${n}`, type: 'text' }));
      const group = (name: string, count: number) => ({ name, type: 'group', fields: texts(count) });
      await tenant.http.post(types(), { name: 'Most', fields: [group('a', 149), group('b', 149)] }).expect(201);
      const fields = [group('a', 149), group('b', 150)];
      const { body } = await tenant.http.post(types(), { name: 'More', fields }).expect(422);
      expect(faults(body)).toEqual(['fields length']);
      const { body: one } = await tenant.http.post(types(), { name: 'More', fields: [group('a', 301)] }).expect(422);
      expect(faults(one)).toEqual(['fields.0.fields length']);
    });

    it('do not exist in forms', async () => {
      const { body } = await tenant.http.post(`/v1/forms/${tenant.id}`, { name: 'F', fields: [SEO] }).expect(422);
      expect(faults(body)).toContain('fields.0.type unsupported');
    });
  });

  describe('values', () => {
    it('are stored as they were sent, without nulls', async () => {
      const type = await createType(tenant, FIELDS);
      const seo = { title: 'A', words: ['x', 'y'], social: { handle: '@a' } };
      const sections = [
        { block: 'quote', title: 'B', body: '<p>b</p>' },
        { block: 'gallery', links: [{ url: 'https://example.com/' }] },
        { title: 'C', block: 'quote' },
      ];
      const nulls = { seo: { ...seo, rank: null }, sections: [...sections, { block: 'gallery', image: null }] };
      const { id } = await create(type, nulls);
      const { body } = await tenant.http.get(`${type.entries}/${id}`).expect(200);
      expect(body.data.fields).toEqual({ seo, sections: [...sections, { block: 'gallery' }] });
    });

    it('report every error with its whole path', async () => {
      const type = await createType(tenant, FIELDS);
      const fields = {
        seo: { titel: 'x', words: ['a', 1], rank: 1.5, social: 'x' },
        sections: [
          { block: 'quote', title: 'small' },
          { block: 'quote', body: 1 },
          { block: 'gallery', image: { url: 'x', alt: '' }, links: [{ url: 'https://a.example' }, {}, null] },
          { block: 'poem' },
          { title: 'A' },
          'x',
          { block: 'gallery', title: 'A', __proto__: { x: 1 } },
        ],
      };
      const { body } = await tenant.http.post(type.entries, { fields }).expect(422);
      expect(faults(body).sort()).toEqual(
        [
          'fields.seo.titel unknown_property',
          'fields.seo.title required',
          'fields.seo.words.1 type',
          'fields.seo.rank type',
          'fields.seo.social type',
          'fields.sections.0.title pattern',
          'fields.sections.1.title required',
          'fields.sections.1.body type',
          'fields.sections.2.image.url format',
          'fields.sections.2.links.1.url required',
          'fields.sections.2.links.2 type',
          'fields.sections.3.block options',
          'fields.sections.4.block required',
          'fields.sections.5 type',
          'fields.sections.6.title unknown_property',
        ].sort(),
      );
      expect(body.errors.find(({ path }: { path: string }) => path === 'fields.sections.1.title').message).toBe(
        'sections.1.title is required.',
      );
    });

    it('are at most 1,000 items', async () => {
      const type = await createType(tenant, FIELDS);
      const items = (count: number) => Array.from({ length: count }, () => ({ block: 'gallery' }));
      await create(type, { sections: items(1_000) });
      const { body } = await tenant.http.post(type.entries, { fields: { sections: items(1_001) } }).expect(422);
      expect(faults(body)).toEqual(['fields.sections too_long']);
    });

    it('are replaced as a whole by PATCH', async () => {
      const type = await createType(tenant, FIELDS);
      const { id } = await create(type, { title: 'T', seo: { title: 'A', rank: 1 }, sections: [] });
      const path = `${type.entries}/${id}`;
      const { body } = await tenant.http.patch(path, { fields: { seo: { title: 'B' } } }).expect(200);
      expect(body.data.fields).toEqual({ title: 'T', seo: { title: 'B' }, sections: [] });
      const { body: refused } = await tenant.http.patch(path, { fields: { seo: { rank: 2 } } }).expect(422);
      expect(faults(refused)).toEqual(['fields.seo.title required']);
      const { body: removed } = await tenant.http.patch(path, { fields: { seo: null } }).expect(200);
      expect(removed.data.fields).toEqual({ title: 'T', sections: [] });
    });
  });

  describe('lists', () => {
    it('sort and filter by the fields of single groups', async () => {
      const type = await createType(tenant, FIELDS);
      const [a, b, c] = await createEntries(tenant, type, [
        { fields: { seo: { title: 'Ärger', rank: 2, words: ['x', 'y'], social: { handle: '@A' } } } },
        { fields: { seo: { title: 'banana', rank: 10, words: ['y'] } } },
        { fields: { title: 'none' } },
      ]);
      const list = async (query: string) => ids((await tenant.http.get(`${type.entries}?${query}`).expect(200)).body);
      expect(await list('sort=seo.title')).toEqual([a, b, c]);
      expect(await list('sort=-seo.rank')).toEqual([b, a, c]);
      expect(await list('filter[seo.title]=banana')).toEqual([b]);
      expect(await list('filter[seo.title][contains]=ärg')).toEqual([a]);
      expect(await list('filter[seo.words][contains]=Y&sort=seo.rank')).toEqual([a, b]);
      expect(await list('filter[seo.rank][gte]=3')).toEqual([b]);
      expect(await list('filter[seo.rank][exists]=false')).toEqual([c]);
      expect(await list('filter[seo.social.handle][starts_with]=@a')).toEqual([a]);
      const where = { or: [{ 'seo.rank': { lt: 5 } }, { 'seo.title': 'banana' }] };
      expect(await list(`sort=seo.rank&where=${encodeURIComponent(JSON.stringify(where))}`)).toEqual([a, b]);
      expect(await list('sort=seo.title&cursor=&per_page=2')).toEqual([a, b]);
      await tenant.http.patch(`${type.entries}/${a}`, { fields: { seo: { title: 'zebra' } } }).expect(200);
      expect(await list('sort=-seo.title')).toEqual([a, b, c]);
      expect(await list('filter[seo.rank][exists]=true')).toEqual([b]);
    });

    it('refuse groups themselves and what is in lists', async () => {
      const type = await createType(tenant, FIELDS);
      const refused = async (query: string, code: string) => {
        const { body } = await tenant.http.get(`${type.entries}?${query}`).expect(400);
        expect([query, body.code]).toEqual([query, code]);
      };
      await refused('sort=seo', 'invalid_parameter');
      await refused('filter[seo]=x', 'invalid_parameter');
      await refused('sort=sections.title', 'unknown_field');
      await refused('filter[sections.title]=x', 'unknown_field');
      await refused('filter[sections.quote.title]=x', 'unknown_field');
      await refused('filter[seo.nothing]=x', 'unknown_field');
      await refused('filter[seo.social]=x', 'unknown_field');
      await refused('filter[seo.rank]=x', 'invalid_parameter');
      await refused('select=seo.title', 'unknown_field');
      await refused('where={"sections.title":"x"}', 'unknown_field');
    });

    it('search and highlight the text inside', async () => {
      const type = await createType(tenant, FIELDS);
      const [a, b] = await createEntries(tenant, type, [
        { fields: { seo: { title: 'Lighthouse', social: { handle: 'keeper' } } } },
        { fields: { sections: [{ block: 'quote', title: 'Stormy', body: '<p>The <b>light</b> house</p>' }] } },
      ]);
      const search = async (words: string) =>
        ids((await tenant.http.get(`${type.entries}?search=${words}&sort=created_at`).expect(200)).body);
      expect(await search('keeper')).toEqual([a]);
      expect(await search('stormy')).toEqual([b]);
      const { body } = await tenant.http.get(`${type.entries}?search=light&highlight=true`).expect(200);
      expect(body.data[0].highlights).toEqual({ sections: ['The <mark>light</mark> house'] });
      await tenant.http.patch(`${type.entries}/${b}`, { fields: { sections: [] } }).expect(200);
      expect(await search('stormy')).toEqual([]);
    });
  });
});
