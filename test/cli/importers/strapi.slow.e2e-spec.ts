import { expectConsistentContent } from '../../support/consistency.js';
import { files } from '../../support/files.js';
import { countsOf, ImportScene } from './scene.js';

const lines = (items: object[]) => items.map((item) => `${JSON.stringify(item)}\n`).join('');
const LOCALIZED = { pluginOptions: { i18n: { localized: true } } };

const SCHEMAS = [
  {
    uid: 'api::article.article',
    modelType: 'contentType',
    kind: 'collectionType',
    info: { singularName: 'article', displayName: 'Article' },
    options: { draftAndPublish: true },
    ...LOCALIZED,
    attributes: {
      title: { type: 'string', required: true, ...LOCALIZED },
      slug: { type: 'uid', targetField: 'title', ...LOCALIZED },
      body: { type: 'blocks', ...LOCALIZED },
      notes: { type: 'richtext' },
      rating: { type: 'decimal' },
      kind: { type: 'enumeration', enum: ['news', 'essay'] },
      cover: { type: 'media', multiple: false },
      pictures: { type: 'media', multiple: true },
      author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author', inversedBy: 'articles' },
      seo: { type: 'component', component: 'meta.seo', repeatable: false },
      parts: { type: 'dynamiczone', components: ['parts.quote', 'parts.links'] },
      secret: { type: 'password' },
      createdAt: { type: 'datetime' },
    },
  },
  {
    uid: 'api::author.author',
    modelType: 'contentType',
    info: { singularName: 'author', displayName: 'Author' },
    options: { draftAndPublish: false },
    attributes: {
      name: { type: 'string' },
      articles: { type: 'relation', relation: 'oneToMany', target: 'api::article.article', mappedBy: 'author' },
      favourite: { type: 'relation', relation: 'oneToOne', target: 'api::article.article' },
    },
  },
  {
    uid: 'meta.seo',
    modelType: 'component',
    info: { displayName: 'SEO' },
    attributes: { title: { type: 'string' }, image: { type: 'media', multiple: false } },
  },
  {
    uid: 'parts.quote',
    modelType: 'component',
    info: { displayName: 'Quote' },
    attributes: { text: { type: 'text' } },
  },
  {
    uid: 'parts.links',
    modelType: 'component',
    info: { displayName: 'Links' },
    attributes: { authors: { type: 'relation', relation: 'oneToMany', target: 'api::author.author' } },
  },
];

const row = (type: string, id: number, data: object) => ({ type, id, data });
const article = (id: number, documentId: string, locale: string, publishedAt: string | null, data: object) =>
  row('api::article.article', id, { documentId, locale, publishedAt, ...data });
const body = (text: string) => [{ type: 'paragraph', children: [{ type: 'text', text, bold: true }] }];

const ENTITIES = [
  row('plugin::i18n.locale', 1, { code: 'en', name: 'English' }),
  row('plugin::i18n.locale', 2, { code: 'de', name: 'German' }),
  row('plugin::upload.file', 7, {
    name: 'cup.png',
    hash: 'cup_1',
    ext: '.png',
    url: '/uploads/cup_1.png',
    alternativeText: 'A cup',
    caption: 'Coffee',
  }),
  row('plugin::upload.file', 8, { name: 'lost.png', hash: 'lost_1', ext: '.png', url: '/uploads/lost_1.png' }),
  article(1, 'doc1', 'en', null, {
    title: 'Tide, changed',
    slug: 'tide',
    body: body('Low'),
    notes: '![x](/uploads/cup_1.png)',
  }),
  article(2, 'doc1', 'en', '2024-01-01T00:00:00Z', {
    title: 'Tide',
    slug: 'tide',
    body: body('Low'),
    notes: '![x](/uploads/cup_1.png)',
    rating: '4.5',
    kind: 'news',
    seo: { id: 5, title: 'On tides' },
    parts: [
      { __component: 'parts.quote', id: 1, text: 'So it is.' },
      { __component: 'parts.links', id: 2 },
    ],
    secret: 'hash',
  }),
  article(3, 'doc1', 'de', '2024-01-01T00:00:00Z', { title: 'Gezeiten', slug: 'gezeiten', body: body('Ebbe') }),
  article(4, 'doc2', 'en', null, { title: 'Draft', slug: 'draft' }),
  row('api::author.author', 1, { documentId: 'ada', name: 'Ada' }),
  row('api::author.author', 2, { documentId: 'bob', name: 'Bob' }),
  row('plugin::users-permissions.user', 1, { email: 'x@example.com' }),
  row('admin::permission', 1, {}),
];

const link = (left: object, right: object, kind = 'relation.basic') => ({ kind, relation: 'manyToOne', left, right });
const media = (ref: number, type: string, of: number, field: string, pos = 1) =>
  link({ type: 'plugin::upload.file', ref, field: 'related' }, { type, ref: of, field, pos }, 'relation.morph');
const ARTICLE = 'api::article.article';
const LINKS = [
  media(7, ARTICLE, 2, 'cover'),
  media(8, ARTICLE, 2, 'pictures', 1),
  media(7, ARTICLE, 2, 'pictures', 2),
  media(7, 'meta.seo', 5, 'image'),
  link({ type: ARTICLE, ref: 2, field: 'author' }, { type: 'api::author.author', ref: 1, field: 'articles', pos: 1 }),
  link({ type: 'parts.links', ref: 2, field: 'authors', pos: 2 }, { type: 'api::author.author', ref: 1 }),
  link({ type: 'parts.links', ref: 2, field: 'authors', pos: 1 }, { type: 'api::author.author', ref: 2 }),
  link({ type: 'api::author.author', ref: 1, field: 'favourite' }, { type: ARTICLE, ref: 2 }),
];

describe('an import from Strapi', () => {
  let scene: ImportScene;
  let archive: string;
  beforeAll(async () => {
    scene = await ImportScene.start();
    archive = await scene.archive('export.tar.gz', {
      'metadata.json': JSON.stringify({ strapi: { version: '5.3.0' } }),
      'entities/entities_00001.jsonl': lines(ENTITIES.slice(0, 6)),
      'entities/entities_00002.jsonl': lines(ENTITIES.slice(6)),
      'assets/uploads/cup_1.png': await files.png(),
      'assets/metadata/cup_1.png.json': '{}',
      'links/links_00001.jsonl': lines(LINKS),
      'configuration/configuration_00001.jsonl': lines([
        { type: 'core-store', data: { key: 'plugin_i18n_default_locale', value: '"en"' } },
      ]),
      'schemas/schemas_00001.jsonl': lines(SCHEMAS),
    });
  });
  afterAll(() => scene.close());

  it('takes types, components, dynamic zones, relations, locales, files and drafts', async () => {
    const tenant = scene.app.tenant();
    const result = await scene.import(tenant, 'strapi', archive);
    expect(countsOf(result, 'article')).toEqual([2, 0, 0, 0]);
    expect(countsOf(result, 'author')).toEqual([2, 0, 0, 0]);
    expect(result.files).toEqual({ stored: 1, kept: 0, failed: 0 });
    const [draft, tide] = await scene.entries(tenant, 'article', 'sort=title&locale=*');
    const [ada, bob] = await scene.entries(tenant, 'author', 'sort=name');
    const [file] = await scene.entries(tenant, 'upload-file');
    const { url } = file!.fields['file'] as { url: string };
    expect(file!.fields).toMatchObject({ title: 'cup.png', caption: 'Coffee' });
    expect(tide).toMatchObject({ status: 'published' });
    expect(tide!.fields).toEqual({
      title: { en: 'Tide', de: 'Gezeiten' },
      slug: { en: 'tide', de: 'gezeiten' },
      body: { en: '<p><strong>Low</strong></p>', de: '<p><strong>Ebbe</strong></p>' },
      notes: `![x](${url})`,
      rating: 4.5,
      kind: 'news',
      cover: { url, alt: 'A cup' },
      pictures: [{ url, alt: 'A cup' }],
      author: ada!.id,
      seo: { title: 'On tides', image: { url, alt: 'A cup' } },
      parts: [
        { block: 'parts_quote', text: 'So it is.' },
        { block: 'parts_links', authors: [bob!.id, ada!.id] },
      ],
    });
    expect(draft).toMatchObject({ status: 'draft' });
    expect(ada!.fields).toEqual({ name: 'Ada', favourite: tide!.id });
    const path = `/v1/content/${tenant.id}/types/article/entries/${tide!.id}/draft`;
    const { body: saved } = await tenant.http.get(path).expect(200);
    expect(saved.data.fields.title).toBe('Tide, changed');

    const messages = result.report.map(({ message }) => message).join('\n');
    for (const word of [
      'Passwords',
      'Markdown',
      'other side',
      'not in the archive',
      'users-permissions.user',
      'required',
    ]) {
      expect(messages).toContain(word);
    }
    await expectConsistentContent(scene.app.database, tenant.id);
  });

  it('doubles nothing when it is run again', async () => {
    const tenant = scene.app.tenant();
    await scene.import(tenant, 'strapi', archive);
    const before = await scene.state(tenant);
    const again = await scene.import(tenant, 'strapi', archive);
    expect([countsOf(again, 'article'), countsOf(again, 'author')]).toEqual([
      [0, 0, 2, 0],
      [0, 0, 2, 0],
    ]);
    expect(again.files).toEqual({ stored: 0, kept: 1, failed: 0 });
    expect(await scene.state(tenant)).toEqual(before);
  });

  it('joins the locales of a document before version 5, which has no ID for it', async () => {
    const tenant = scene.app.tenant();
    const rows = [
      ...ENTITIES.slice(0, 2),
      row(ARTICLE, 1, { title: 'Tide', locale: 'en', publishedAt: '2024-01-01T00:00:00Z' }),
      row(ARTICLE, 2, { title: 'Gezeiten', locale: 'de', publishedAt: '2024-01-01T00:00:00Z' }),
    ];
    const localization = (left: number, right: number) =>
      link({ type: ARTICLE, ref: left, field: 'localizations' }, { type: ARTICLE, ref: right }, 'relation.circular');
    const path = await scene.archive('v4.tar.gz', {
      'schemas/schemas_00001.jsonl': lines(SCHEMAS),
      'entities/entities_00001.jsonl': lines(rows),
      'links/links_00001.jsonl': lines([localization(1, 2), localization(2, 1)]),
    });
    await scene.import(tenant, 'strapi', path);
    const found = await scene.entries(tenant, 'article', 'locale=*');
    expect(found.map(({ fields }) => fields['title'])).toEqual([{ en: 'Tide', de: 'Gezeiten' }]);
  });

  it('refuses archives that are hostile or something else, with 3, and writes nothing outside of its own folder', async () => {
    const tenant = scene.app.tenant();
    const { gzipSync } = await import('node:zlib');
    const png = await files.png();
    const wrong: Record<string, string> = {
      none: await scene.file('none.tar.gz', ''),
      text: await scene.file('text.tar.gz', 'Hello'),
      zeros: await scene.file('zeros.tar.gz', gzipSync(Buffer.alloc(1_200_000_000))),
      early: await scene.file('early.tar.gz', gzipSync(Buffer.from('x')).subarray(0, 10)),
      other: await scene.archive('other.tar.gz', { 'a.txt': 'Hello' }),
      json: await scene.archive('json.tar.gz', { 'schemas/schemas_00001.jsonl': 'Hello\n' }),
      encrypted: await scene.file('export.tar.gz.enc', 'x'),
    };
    for (const [name, path] of Object.entries(wrong)) {
      const { code, stderr } = await scene.commands(tenant).run('import', 'strapi', path);
      expect([name, code, stderr.slice(0, 7)]).toEqual([name, 3, 'error: ']);
    }
    const outside = await scene.archive('outside.tar.gz', {
      '../../outside.txt': 'Hello',
      '/tmp/trivet-outside.txt': 'Hello',
      'assets/uploads/../../../../tmp/trivet-outside.png': png,
      'schemas/schemas_00001.jsonl': lines(SCHEMAS),
    });
    await scene.import(tenant, 'strapi', outside);
    const { existsSync } = await import('node:fs');
    expect(
      ['/tmp/trivet-outside.txt', '/tmp/trivet-outside.png', '/tmp/outside.txt'].filter((one) => existsSync(one)),
    ).toEqual([]);
  });
});
