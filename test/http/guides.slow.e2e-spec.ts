import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import AxeBuilder from '@axe-core/playwright';
import type { Browser } from 'playwright-core';
import { startApp, type TestApp } from '../support/app.js';
import { describeWithBrowser, openBrowser, openPage } from '../support/browser.js';

const PHONE = { viewport: { width: 375, height: 812 }, isMobile: true, hasTouch: true };

/** The guides of docs/ as it is now. */
beforeAll(() => promisify(execFile)(process.execPath, ['scripts/guides.mjs']));

describe('the documentation', () => {
  it('has no link that leads nowhere, no page that is too long, and no page that is not listed', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['scripts/guides.mjs', '--check']);
    expect(stdout).toContain('are right');
  });
});

describe('the guides', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  const open = async (path: string) => {
    const response = await fetch(new URL(path, app.url));
    return { response, text: await response.text() };
  };

  const linksOf = (text: string, base: string) =>
    [...text.matchAll(/(?:href|action)="([^"]+)"/g)]
      .map(([, href = '']) => new URL(href.replaceAll('&amp;', '&'), base).href)
      .filter((href) => href.startsWith(`${app.url}/`));

  it('lead to each other: no link of any page is broken, and every heading that a link names exists', async () => {
    const pages = new Map<string, string>();
    const wanted = new Map([[`${app.url}/guides`, 'the start']]);
    const broken: string[] = [];
    for (const [link, from] of wanted) {
      const [url = '', fragment] = link.split('#');
      if (!pages.has(url)) {
        const { response, text } = await open(url);
        pages.set(url, text);
        if (response.status !== 200) broken.push(`${from} → ${link}: ${response.status}`);
        if (response.status === 200 && /\/guides\b(?!.*\.(md|css)$)/.test(url)) {
          for (const found of linksOf(text, url)) if (!wanted.has(found)) wanted.set(found, url);
        }
      }
      if (fragment && !pages.get(url)?.includes(`id="${fragment}"`)) broken.push(`${from} → ${link}: no such heading`);
    }
    expect(broken).toEqual([]);
    expect(pages.size).toBeGreaterThan(100);
    expect([...pages.keys()]).toEqual(expect.arrayContaining([`${app.url}/docs`, `${app.url}/problems`]));
  });

  it.each(['/guides', '/guides/', '/guides/reference/glossary', '/guides/search?q=cursor'])(
    'are served without a key, without scripts, and are revalidated: %s',
    async (path) => {
      const { response, text } = await open(path);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(response.headers.get('content-security-policy')).toBe(
        "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
      );
      expect(response.headers.get('cache-control')).toBe('no-cache');
      expect(text).not.toMatch(/<script|<style|\bstyle=|\bon\w+=/);
      expect(text).toMatch(/<title>[^<]+<\/title>/);
      const again = await fetch(new URL(path, app.url), {
        headers: { 'If-None-Match': response.headers.get('etag') ?? '' },
      });
      expect(again.status).toBe(304);
    },
  );

  it('have a style that caches keep, and whose name changes with it', async () => {
    const [, style = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec((await open('/guides/')).text) ?? [];
    expect(style).toMatch(/^\.\/guides\.[0-9a-f]{16}\.css$/);
    const { response } = await open(new URL(style, `${app.url}/guides/`).href);
    expect(response.headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  it('are also Markdown, with links that work', async () => {
    const { response, text } = await open('/guides/reference/glossary.md');
    expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(text).toMatch(/^# Glossary/);
    const { text: index } = await open('/guides/README.md');
    for (const [, href = ''] of index.matchAll(/\]\(([^)]+\.md)\)/g)) {
      expect([href, (await open(`/guides/${href}`)).response.status]).toEqual([href, 200]);
    }
  });

  it.each([
    '/guides/nope',
    '/guides/..%2f..%2fpackage.json',
    '/guides/../package.json',
    '/guides/__proto__',
    '/guides/constructor',
    '/guides/pages.json',
    '/guides/reference/glossary/',
  ])('have no page %s', async (path) => {
    expect((await open(path)).response.status).toBe(404);
  });

  describe('search', () => {
    const search = async (query: string) => {
      const { response, text } = await open(`/guides/search?q=${encodeURIComponent(query)}`);
      expect(response.status).toBe(200);
      return [...text.matchAll(/<li><a href="\.\/([^"]+)">/g)].map(([, path]) => path);
    };

    it.each([
      ['cursor', 'reference/lists'],
      ['verify signature', 'how-to/use/receive-webhooks'],
      ['DATABASE_URL', 'reference/configuration'],
      ['restoring a backup', 'how-to/operate/back-up-and-restore'],
      ['idempot', 'reference/requests-and-responses'],
    ])('finds for %s the page %s', async (query, page) => {
      expect((await search(query)).slice(0, 5).some((path) => path?.startsWith(page))).toBe(true);
    });

    it('leads to the heading, and marks the words', async () => {
      const { text } = await open('/guides/search?q=webhook%20secrets');
      expect(text).toMatch(/href="\.\/[\w/-]+#[\w-]+"/);
      expect(text).toMatch(/<mark>[Ss]ecrets?<\/mark>/);
      expect(text).toContain('value="webhook secrets"');
    });

    it('says when nothing is found, and shows a query as text', async () => {
      const { text } = await open(`/guides/search?q=${encodeURIComponent('"><xyzzyplugh>$&')}`);
      expect(text).toContain('Nothing was found');
      expect(text).toContain('value="&quot;&gt;&lt;xyzzyplugh&gt;$&amp;"');
      expect(text).not.toContain('<xyzzyplugh');
    });

    it('answers an empty query, and refuses a long one or several', async () => {
      expect((await open('/guides/search')).response.status).toBe(200);
      for (const query of [`q=${'x'.repeat(201)}`, 'q=a&q=b']) {
        expect((await open(`/guides/search?${query}`)).response.status).toBe(400);
      }
    });
  });
});

describeWithBrowser('the guides in a browser', () => {
  let app: TestApp;
  let browser: Browser;
  beforeAll(async () => {
    [app, browser] = await Promise.all([startApp(), openBrowser()]);
  });
  afterAll(() => Promise.all([browser.close(), app.close()]));

  const PAGES = ['/guides', '/guides/reference/lists', '/guides/tutorials/first-site', '/guides/search?q=cursor'];

  it.each(PAGES)('fit a phone and load nothing from elsewhere: %s', async (path) => {
    const { page, errors, requests } = await openPage(browser, PHONE);
    await page.goto(app.url + path);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(375);
    expect(errors).toEqual([]);
    expect(requests.filter((url) => !url.startsWith('data:') && !url.startsWith(`${app.url}/`))).toEqual([]);
  });

  it.each(['light', 'dark'] as const)('have no fault of accessibility where the system is %s', async (colorScheme) => {
    for (const options of [{ colorScheme }, { ...PHONE, colorScheme }]) {
      const { page } = await openPage(browser, options);
      for (const path of PAGES) {
        await page.goto(app.url + path);
        // The policy of the page lets no script in, also not that of the test.
        const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
        expect([path, violations.map(({ id, nodes }) => [id, nodes[0]?.html])]).toEqual([path, []]);
      }
    }
  });

  it('are dark where the system is', async () => {
    const background = async (colorScheme: 'dark' | 'light') => {
      const { page } = await openPage(browser, { colorScheme });
      await page.goto(`${app.url}/guides`);
      return page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    };
    expect(await background('light')).not.toBe(await background('dark'));
  });

  it('are searched and read with the keyboard alone', async () => {
    const { page } = await openPage(browser);
    await page.goto(`${app.url}/guides`);
    await page.keyboard.press('Tab');
    expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('Skip to the text');
    await page.getByRole('searchbox', { name: 'Search the guides' }).focus();
    await page.keyboard.type('next_cursor');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Search', level: 1 }).waitFor();
    const first = page.getByRole('main').getByRole('listitem').getByRole('link').first();
    await first.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/guides\/(?!search)/);
    expect(await page.getByRole('main').innerText()).toContain('next_cursor');
  });
});
