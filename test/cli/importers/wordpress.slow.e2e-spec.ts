import { expectConsistentContent } from '../../support/consistency.js';
import { countsOf, ImportScene } from './scene.js';

describe('an import from WordPress', () => {
  let scene: ImportScene;
  beforeAll(async () => {
    scene = await ImportScene.start();
  });
  afterAll(() => scene.close());

  it('takes posts, pages, custom types, authors, terms and files', async () => {
    const tenant = scene.app.tenant();
    const result = await scene.import(tenant, 'wordpress', await scene.fixture('wordpress.xml'));
    expect(result.source).toBe('https://tides.example');
    const slugs = ['author', 'category', 'page', 'post', 'post-tag', 'region', 'tide-gauge'];
    expect(result.types.map(({ slug }) => slug)).toEqual(slugs);
    expect(slugs.map((slug) => countsOf(result, slug).join())).toEqual([
      '2,0,0,0',
      '2,0,0,0',
      '2,0,0,0',
      '3,0,0,0',
      '1,0,0,0',
      '1,0,0,0',
      '1,0,0,0',
    ]);
    expect(result.files).toEqual({ stored: 1, kept: 0, failed: 1 });

    const posts = new Map((await scene.entries(tenant, 'post')).map((entry) => [entry.fields['title'], entry]));
    const { fields, status } = posts.get('A low tide')!;
    const [ada] = await scene.entries(tenant, 'author', 'filter[login]=ada');
    const [tides, sea] = await scene.entries(tenant, 'category', 'sort=-name');
    const [file] = await scene.entries(tenant, 'attachment', 'filter[slug]=cup');
    const { url } = file!.fields['file'] as { url: string };
    expect(status).toBe('published');
    expect(fields).toMatchObject({
      slug: 'a-low-tide',
      date: '2024-05-01T08:00:00.000Z',
      modified: '2024-05-02T08:00:00.000Z',
      excerpt: 'In short',
      author: ada!.id,
      category: [tides!.id],
      format: 'aside',
      sticky: true,
      custom_fields: { height: '1.4 m' },
      featured_image: { url, alt: 'A cup of coffee' },
    });
    expect(fields['content']).toBe(
      [
        '<p>The first line<br>\nand the second.</p>',
        `<p><img src="${url}" alt="A cup"> and <a href="${url}">the whole</a></p>`,
        '<p>[gallery ids="7"]</p>',
      ].join('\n'),
    );
    expect(sea!.fields).toMatchObject({ name: 'Sea & Shore', slug: 'sea' });
    expect(tides!.fields['parent']).toBe(sea!.id);
    expect(posts.get('Behind a password')).toMatchObject({ status: 'draft', fields: { content: '<p>Secret.</p>' } });
    expect(posts.get('Not finished')).toMatchObject({ status: 'draft' });
    const [about, opening] = await scene.entries(tenant, 'page', 'sort=title');
    expect(opening!.fields).toMatchObject({ parent: about!.id, menu_order: 3 });
    expect((await scene.entries(tenant, 'tide-gauge'))[0]).toMatchObject({ status: 'draft' });

    const messages = result.report.map(({ message }) => message).join('\n');
    for (const word of [
      'Comments',
      'password',
      'shortcode',
      'block',
      'menus',
      'private',
      'trash',
      'could not be stored',
    ]) {
      expect(messages).toContain(word);
    }
    expect(result.report.find(({ message }) => message.includes('could not be stored'))?.where[0]).toContain('404');
    await expectConsistentContent(scene.app.database, tenant.id);
  });

  it('doubles nothing when it is run again, and takes what has changed', async () => {
    const tenant = scene.app.tenant();
    const path = await scene.fixture('wordpress.xml');
    await scene.import(tenant, 'wordpress', path);
    const before = await scene.state(tenant);
    const again = await scene.import(tenant, 'wordpress', path);
    expect(again.types.flatMap(({ slug }) => countsOf(again, slug).filter((_count, index) => index !== 2))).toEqual(
      again.types.flatMap(() => [0, 0, 0]),
    );
    expect(again.files).toEqual({ stored: 0, kept: 1, failed: 1 });
    expect(await scene.state(tenant)).toEqual(before);

    const { readFile } = await import('node:fs/promises');
    const changed = (await readFile(path, 'utf8'))
      .replace('<![CDATA[draft]]>', '<![CDATA[publish]]>')
      .replace('<![CDATA[0000-00-00 00:00:00]]>', '<![CDATA[2024-06-01 00:00:00]]>');
    const third = await scene.import(tenant, 'wordpress', await scene.file('changed.xml', changed));
    expect(countsOf(third, 'post')).toEqual([0, 1, 2, 0]);
    const found = await scene.entries(tenant, 'post', 'filter[title]=Not%20finished');
    expect(found).toMatchObject([{ status: 'published', fields: { date: '2024-06-01T00:00:00.000Z' } }]);
  });

  it('changes nothing with --dry-run', async () => {
    const tenant = scene.app.tenant();
    const before = await scene.state(tenant);
    const path = await scene.fixture('wordpress.xml');
    const result = await scene.import(tenant, 'wordpress', path, '--dry-run');
    expect(result).toMatchObject({ dry_run: true, files: 2 });
    expect(result.report.length).toBeGreaterThan(3);
    expect(await scene.state(tenant)).toEqual(before);
    const { stdout } = await scene.commands(tenant).run('import', 'wordpress', path, '--dry-run');
    expect(stdout).toContain('  post: 3 entries\n');
    expect(stdout).toContain('create content_type post');
  });

  it('continues after it was killed, and doubles nothing', async () => {
    const tenant = scene.app.tenant();
    const items = Array.from({ length: 60 }, (_, index) => {
      const parts = [
        `<title>File ${index}</title><wp:post_id>${1_000 + index}</wp:post_id><wp:status>inherit</wp:status>`,
        `<wp:post_type>attachment</wp:post_type><wp:attachment_url>${scene.origin}/wp-content/uploads/${index}.png</wp:attachment_url>`,
      ];
      return `<item>${parts.join('')}</item>`;
    });
    const path = await scene.file(
      'files.xml',
      `<rss><channel><link>https://x.example</link>${items.join('')}</channel></rss>`,
    );
    const asked = scene.requests.length;
    const running = scene.commands(tenant).start('import', 'wordpress', path, '--json');
    while (scene.requests.length < asked + 30) await new Promise((resolve) => setTimeout(resolve, 5));
    running.child.kill('SIGKILL');
    await running.ended;
    const result = await scene.import(tenant, 'wordpress', path);
    expect(result.files.failed).toBe(0);
    const media = await scene.app.database.query('SELECT filename FROM media WHERE tenant_id = $1', [tenant.id]);
    expect(media).toHaveLength(60);
    expect(await scene.entries(tenant, 'attachment')).toHaveLength(60);
  });

  it('refuses files that are hostile or something else, with 3, and takes nothing of them', async () => {
    const tenant = scene.app.tenant();
    const before = await scene.state(tenant);
    const bomb = Array.from({ length: 9 }, (_, index) => `<!ENTITY a${index + 1} "${`&a${index};`.repeat(10)}">`).join(
      '',
    );
    const hostile: Record<string, string | Buffer> = {
      'entities.xml': `<!DOCTYPE rss [<!ENTITY a0 "x">${bomb}]><rss><channel><title>&a9;</title></channel></rss>`,
      'external.xml': '<!DOCTYPE rss SYSTEM "file:///etc/passwd"><rss><channel></channel></rss>',
      'unknown.xml': '<rss><channel><title>&unknown;</title></channel></rss>',
      'deep.xml': `<rss><channel>${'<a>'.repeat(1_000)}${'</a>'.repeat(1_000)}</channel></rss>`,
      'early.xml': '<rss><channel><item><title>x</title>',
      'other.xml': '<feed><entry/></feed>',
      'text.xml': 'Hello',
      'empty.xml': '',
      'image.xml': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0]),
    };
    for (const [name, content] of Object.entries(hostile)) {
      const { code, stderr } = await scene.commands(tenant).run('import', 'wordpress', await scene.file(name, content));
      expect([name, code, stderr.slice(0, 7)]).toEqual([name, 3, 'error: ']);
    }
    expect((await scene.commands(tenant).run('import', 'wordpress', '/no/such/file')).code).toBe(3);
    expect(await scene.state(tenant)).toEqual(before);
  });
});
