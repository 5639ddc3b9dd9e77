import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { describeWithBrowser, openBrowser, openPage } from '../support/browser.js';

const ROOT = join(import.meta.dirname, '../..');
const GENERATORS = join(ROOT, 'test/clients/node_modules');
/** The oldest Node.js, which runs the tests, and those that `npm ci --prefix test/clients` installs. */
const RUNTIMES = {
  'the Node.js of the tests': process.execPath,
  'Node.js 22': join(GENERATORS, 'node/bin/node'),
  'Node.js 24': join(GENERATORS, 'node-24/bin/node'),
};

const PROGRAM = `
  import { createClient, TrivetError } from '@trivet/client';
  import { createRequest } from '@trivet/client/request';
  import { livePreview } from '@trivet/client/preview';

  const [url, tenant, key] = process.argv.slice(2);
  const trivet = createClient({ url, tenant, key });
  const post = await trivet.entries('post').create({ title: 'Tides' }, { status: 'published' });
  const titles = [];
  for await (const { fields } of trivet.entries('post').all({ search: 'tides' })) titles.push(fields.title);
  const failure = await trivet.entries('post').get('ent_none').catch((error) => error);
  const { data: types } = await trivet.request('listContentTypes');
  const { data: again } = await createRequest({ url, tenant, key })('listContentTypes');
  livePreview({ origin: url, onChange() {} })();
  await trivet.entries('post').delete(post.id, { ifMatch: post.etag });
  console.log(JSON.stringify([titles[0], failure instanceof TrivetError, failure.status, types.length, again.length]));
`;

describe('the package of the client', () => {
  let app: TestApp;
  let tenant: TestTenant;
  let project: string;
  beforeAll(async () => {
    app = await startApp();
    tenant = app.tenant();
    project = await mkdtemp(join(tmpdir(), 'trivet-client-'));
    const post = { name: 'Post', public: true, fields: [{ name: 'title', type: 'text' }] };
    await tenant.http.post(`/v1/content/${tenant.id}/types`, post).expect(201);
    await run(process.execPath, [join(ROOT, 'scripts/client/build.mjs')], ROOT);
    const { stdout } = await run('npm', ['pack', '--pack-destination', project, '--json'], join(ROOT, 'client'));
    const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
    await writeFile(join(project, 'package.json'), '{"type": "module", "private": true}');
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${filename}`], project);
    await writeFile(join(project, 'program.js'), PROGRAM);
  });
  afterAll(async () => {
    await rm(project, { recursive: true, force: true });
    await app.close();
  });

  /** Without the variables of Jest. */
  const run = (program: string, parameters: string[], cwd: string) =>
    promisify(execFile)(program, parameters, { cwd, env: { PATH: process.env['PATH'], HOME: process.env['HOME'] } });
  const installed = (...path: string[]) => join(project, 'node_modules/@trivet/client', ...path);

  it('has the build and its types, and depends on nothing', async () => {
    expect((await readdir(installed())).sort()).toEqual(['README.md', 'dist', 'package.json']);
    const names = await readdir(installed('dist'));
    expect(names).toEqual(expect.arrayContaining(['index.js', 'index.d.ts', 'request.js', 'preview.js', 'chunks']));
    const { dependencies, private: isPrivate } = JSON.parse(
      await readFile(installed('package.json'), 'utf8'),
    ) as Record<string, unknown>;
    expect([dependencies, isPrivate]).toEqual([undefined, undefined]);
  });

  for (const [name, program] of Object.entries(RUNTIMES)) {
    const isThere = existsSync(program);
    (isThere ? it : it.skip)(
      `works in ${name}${isThere ? '' : ', which npm ci --prefix test/clients installs'}`,
      async () => {
        const { stdout } = await run(program, ['program.js', app.url, tenant.id, tenant.key], project);
        expect(JSON.parse(stdout)).toEqual(['Tides', true, 404, 1, 1]);
      },
    );
  }

  it('has types that a program compiles with, also without those of a browser', async () => {
    const folder = join(project, 'typed');
    await mkdir(folder);
    const program = `
      import { createClient } from '@trivet/client';
      import { createRequest } from '@trivet/client/request';
      const trivet = createClient({ url: '', tenant: 'ten_acme' });
      export const title: string = (await trivet.entries('post').get('x')).fields['title'];
      export const slug: string | undefined = (await createRequest({ url: '', tenant: '' })('listForms')).data[0]?.slug;
    `;
    await writeFile(join(folder, 'program.ts'), program);
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    const strict = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022', 'program.ts'];
    const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')];
    for (const lib of [
      ['--lib', 'es2022,dom', '--types', 'node', ...types.slice(2)],
      ['--lib', 'es2023', ...types],
    ]) {
      const compiled = await run(process.execPath, [compiler, ...strict, ...lib], folder).catch(
        (error: object) => error,
      );
      expect(compiled).toMatchObject({ stdout: '' });
    }
  });

  describeWithBrowser('in a browser', () => {
    let browser: Browser;
    let site: Server;
    let origin: string;
    beforeAll(async () => {
      browser = await openBrowser();
      site = createServer((request, response) => {
        const path = (request.url ?? '').replace(/\?.*/, '');
        if (!path.endsWith('.js')) return void response.setHeader('Content-Type', 'text/html').end(PAGE);
        void readFile(installed('dist', path)).then((file) =>
          response.setHeader('Content-Type', 'text/javascript').end(file),
        );
      });
      await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
      origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
      const form = { name: 'Contact', fields: [{ name: 'email', type: 'email' }] };
      await tenant.http.post(`/v1/forms/${tenant.id}`, form).expect(201);
      const entry = { fields: { title: 'Public' }, status: 'published' };
      await tenant.http.post(`/v1/content/${tenant.id}/types/post/entries`, entry).expect(201);
    });
    afterAll(async () => {
      await browser.close();
      site.close();
    });

    it('reads, submits and requests from a page of another origin', async () => {
      const { page, errors } = await openPage(browser);
      await page.goto(origin);
      const results = await page.evaluate(
        async ([url, id, key, own]) => {
          const { createClient } = (await import(`${own}/index.js`)) as typeof import('../../client/src/index.js');
          const visitor = createClient({ url, tenant: id });
          const { data } = await visitor.entries('post').list({ sort: 'title' });
          const submission = await visitor.forms.submit('contact', { email: 'a@example.com' });
          const { data: types } = await createClient({ url, tenant: id, key }).request('listContentTypes');
          const refusal: unknown = await visitor
            .entries('none')
            .list()
            .catch((error: Error) => error.name);
          return [String(data[0]?.fields['title']), submission.fields['email'], types.length, refusal];
        },
        [app.url, tenant.id, tenant.key, origin] as const,
      );
      expect(results).toEqual(['Public', 'a@example.com', 1, 'TrivetError']);
      // The browser itself logs the refusal.
      expect(errors.filter((text) => !text.includes('401'))).toEqual([]);
    });

    it('shows an entry while it is written, in a frame of the console only', async () => {
      const { page } = await openPage(browser);
      const console = origin.replace('127.0.0.1', 'localhost');
      await page.goto(`${console}/console.html`);
      const fields = await page.evaluate(async ([frame, own]) => framed(frame, own), [
        `${origin}/frame?${console}`,
        console,
      ] as const);
      expect(fields).toEqual(['trivet:field title', 'Newest']);
      const elsewhere = await page.evaluate(async ([frame, own]) => framed(frame, own), [
        `${origin}/frame?https://cms.example`,
        console,
      ] as const);
      expect(elsewhere).toEqual(['nothing', 'Old']);
    });
  });
});

/** Defined by the page below: opens a frame, sends it an entry, clicks its title, and returns the message and the title that come of it. */
declare function framed(url: string, own: string): Promise<string[]>;

const PAGE = `<!doctype html>
<h1 data-trivet-field="title"><a href="/elsewhere">Old</a></h1>
<script type="module">
  if (location.pathname === '/frame') {
    const { livePreview } = await import('/preview.js');
    const title = document.querySelector('a');
    livePreview({ origin: location.search.slice(1), onChange: ({ fields }) => { title.textContent = fields.title; } });
    addEventListener('message', ({ data, source }) => {
      if (data === 'click') title.click();
      if (data === 'read') source.postMessage({ read: title.textContent }, '*');
    });
    parent.postMessage('ready', '*');
  }
</script>
<script>
  const next = () => new Promise((resolve) => addEventListener('message', ({ data }) => resolve(data), { once: true }));
  async function framed(url, own) {
    const frame = document.createElement('iframe');
    frame.src = url;
    document.body.append(frame);
    await next();
    const send = (message) => frame.contentWindow.postMessage(message, '*');
    send({ type: 'trivet:entry', entry: null });
    send({ type: 'other', entry: { fields: { title: 'Wrong' } } });
    send({ type: 'trivet:entry', entry: { fields: { title: 'Newest' } } });
    const isShown = url.endsWith(own);
    if (isShown) send('click');
    const message = isShown ? await next() : undefined;
    send('read');
    const { read } = await next();
    frame.remove();
    return [message ? message.type + ' ' + message.field : 'nothing', read];
  }
</script>`;
