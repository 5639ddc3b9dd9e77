import { expectConsistentContent } from '../../support/consistency.js';
import { files } from '../../support/files.js';
import { countsOf, ImportScene } from './scene.js';

const span = (text: string, marks: string[] = []) => ({ _type: 'span', _key: text, text, marks });
const IMAGE = 'image@file://./images/abc-10x10.png';
const FILE = 'file@file://./files/def.pdf';
const CDN = 'https://cdn.sanity.io/files/x/production/def.pdf';

const DOCUMENTS = [
  {
    _id: 'post1',
    _type: 'blogPost',
    title: 'Tide',
    slug: { _type: 'slug', current: 'tide' },
    publishedAt: '2024-05-01T08:00:00.000Z',
    day: '2024-05-01',
    rating: 4,
    weight: 1.5,
    live: true,
    tags: ['sea', 'moon'],
    author: { _type: 'reference', _ref: 'ada' },
    related: [
      { _type: 'reference', _ref: 'post2', _key: 'a' },
      { _type: 'reference', _ref: 'lost', _key: 'b' },
    ],
    cover: { _type: 'image', _sanityAsset: IMAGE, alt: 'A cup', hotspot: { x: 0.5 }, credit: 'Ada' },
    gallery: [{ _type: 'image', _key: 'c', asset: { _type: 'reference', _ref: 'image-abc-10x10-png' } }],
    body: [
      { _type: 'block', _key: '1', style: 'h2', markDefs: [], children: [span('High & low')] },
      {
        _type: 'block',
        _key: '2',
        style: 'normal',
        markDefs: [
          { _key: 'l', _type: 'link', href: 'https://example.com' },
          { _key: 'i', _type: 'internalLink', reference: { _type: 'reference', _ref: 'post2' } },
        ],
        children: [span('See ', ['strong']), span('there', ['l']), span(' and here', ['i'])],
      },
      { _type: 'image', _key: '3', _sanityAsset: IMAGE, alt: 'A cup' },
      { _type: 'youtube', _key: '4', url: 'https://youtube.example' },
      { _type: 'file', _key: '5', _sanityAsset: FILE, caption: 'The <manual>' },
      {
        _type: 'block',
        _key: '6',
        style: 'normal',
        markDefs: [{ _key: 'm', _type: 'link', href: `${CDN}?dl=` }],
        children: [span('Manual', ['m'])],
      },
    ],
    seo: { _type: 'seo', title: 'On tides', image: { _type: 'image', _sanityAsset: IMAGE } },
    sections: [
      { _type: 'hero', _key: 'x', heading: 'Hello', link: { _type: 'reference', _ref: 'post2' } },
      { _type: 'quote', _key: 'y', text: 'So it is.' },
      { _type: 'image', _key: 'z', _sanityAsset: IMAGE },
    ],
    place: { _type: 'geopoint', lat: 54, lng: 8 },
    manual: { _type: 'file', asset: { _type: 'reference', _ref: 'file-def-pdf' } },
    mixed: 'text',
  },
  {
    _id: 'drafts.post1',
    _type: 'blogPost',
    title: 'Tide, changed',
    slug: { _type: 'slug', current: 'tide' },
    mixed: { a: 1 },
  },
  { _id: 'drafts.post2', _type: 'blogPost', title: 'Draft', slug: { _type: 'slug', current: 'draft' } },
  {
    _id: 'ada',
    _type: 'author',
    name: 'Ada',
    favourite: { _type: 'reference', _ref: 'post1' },
    photo: { _type: 'image', _sanityAsset: 'image@file://./images/lost-1x1.png' },
  },
  { _id: 'image-abc-10x10-png', _type: 'sanity.imageAsset', originalFilename: 'cup.png' },
  { _id: 'versions.r1.post1', _type: 'blogPost', title: 'Later' },
];

describe('an import from Sanity', () => {
  let scene: ImportScene;
  let archive: string;
  beforeAll(async () => {
    scene = await ImportScene.start();
    archive = await scene.archive('production.tar.gz', {
      'production-export-2024/data.ndjson': DOCUMENTS.map((one) => `${JSON.stringify(one)}\n`).join(''),
      'production-export-2024/assets.json': JSON.stringify({
        'image-abc-10x10-png': { originalFilename: 'cup.png', altText: 'Alt' },
        'file-def-pdf': { originalFilename: 'manual.pdf', url: CDN },
      }),
      'production-export-2024/images/abc-10x10.png': await files.png(),
      'production-export-2024/files/def.pdf': files.pdf(),
    });
  });
  afterAll(() => scene.close());

  it('takes types as found, portable text, references, images, blocks and drafts', async () => {
    const tenant = scene.app.tenant();
    const result = await scene.import(tenant, 'sanity', archive);
    expect(countsOf(result, 'blog-post')).toEqual([2, 0, 0, 0]);
    expect(countsOf(result, 'author')).toEqual([1, 0, 0, 0]);
    expect(result.files).toEqual({ stored: 2, kept: 0, failed: 0 });
    const [draft, tide] = await scene.entries(tenant, 'blog-post', 'sort=title');
    const [ada] = await scene.entries(tenant, 'author');
    const [file, manual] = await scene.entries(tenant, 'sanity-asset', 'sort=title');
    const { url } = file!.fields['file'] as { url: string };
    const { url: pdf } = manual!.fields['file'] as { url: string };
    expect(Buffer.from(await (await fetch(pdf)).arrayBuffer())).toEqual(files.pdf());
    expect(tide).toMatchObject({ status: 'published' });
    expect(tide!.fields).toEqual({
      title: 'Tide',
      slug: 'tide',
      publishedAt: '2024-05-01T08:00:00.000Z',
      day: '2024-05-01',
      rating: 4,
      weight: 1.5,
      live: true,
      tags: ['sea', 'moon'],
      author: ada!.id,
      related: [draft!.id],
      cover: { url, alt: 'A cup' },
      gallery: [{ url, alt: 'Alt' }],
      body:
        `<h2>High &amp; low</h2><p><strong>See </strong><a href="https://example.com">there</a>` +
        `<a data-entry="${draft!.id}"> and here</a></p><img src="${url}" alt="A cup">` +
        `<a href="${pdf}">The &lt;manual&gt;</a><p><a href="${pdf}">Manual</a></p>`,
      seo: { title: 'On tides', image: { url, alt: 'Alt' } },
      sections: [
        { block: 'hero', heading: 'Hello', link: draft!.id },
        { block: 'quote', text: 'So it is.' },
        { block: 'image', image: { url, alt: 'Alt' } },
      ],
      place: { _type: 'geopoint', lat: 54, lng: 8 },
      manual: { url: pdf, alt: '' },
      mixed: 'text',
    });
    expect(draft).toMatchObject({ status: 'draft', fields: { slug: 'draft' } });
    expect(ada!.fields).toEqual({ name: 'Ada', favourite: tide!.id });
    const { body } = await tenant.http
      .get(`/v1/content/${tenant.id}/types/blog-post/entries/${tide!.id}/draft`)
      .expect(200);
    expect(body.data.fields).toEqual({ title: 'Tide, changed', slug: 'tide', mixed: { a: 1 } });

    const messages = result.report.map(({ message }) => message).join('\n');
    for (const word of ['crop', 'credit', 'youtube', 'releases', 'several kinds', 'data-entry', 'missing', 'slug']) {
      expect(messages).toContain(word);
    }
    await expectConsistentContent(scene.app.database, tenant.id);
  });

  it('doubles nothing when it is run again', async () => {
    const tenant = scene.app.tenant();
    await scene.import(tenant, 'sanity', archive);
    const before = await scene.state(tenant);
    const again = await scene.import(tenant, 'sanity', archive);
    expect([countsOf(again, 'blog-post'), countsOf(again, 'author')]).toEqual([
      [0, 0, 2, 0],
      [0, 0, 1, 0],
    ]);
    expect(await scene.state(tenant)).toEqual(before);
  });

  it('refuses archives that are something else, with 3', async () => {
    const tenant = scene.app.tenant();
    const wrong = {
      other: await scene.archive('other.tar.gz', { 'a.txt': 'Hello' }),
      json: await scene.archive('json.tar.gz', { 'data.ndjson': 'Hello\n' }),
      typeless: await scene.archive('typeless.tar.gz', { 'data.ndjson': '{"_id":"a"}\n' }),
      assets: await scene.archive('assets.tar.gz', { 'assets.json': Buffer.alloc(65 * 1024 * 1024, ' ') }),
      long: await scene.archive('long.tar.gz', { 'data.ndjson': 'x'.repeat(17 * 1024 * 1024) }),
    };
    for (const [name, path] of Object.entries(wrong)) {
      const { code, stderr } = await scene.commands(tenant).run('import', 'sanity', path);
      expect([name, code, stderr.slice(0, 7)]).toEqual([name, 3, 'error: ']);
    }
  });
});
