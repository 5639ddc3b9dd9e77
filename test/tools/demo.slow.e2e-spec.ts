import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Service, useServices } from '../support/service.js';

const ROOT = join(import.meta.dirname, '../..');

jest.setTimeout(240_000);

interface Finished {
  code: number;
  output: string;
}

interface Example {
  path: string;
  body: unknown;
}

/** Runs a program in the project's directory, with no other environment than the given one. */
function run(program: string, args: string[], env: Record<string, string>): Promise<Finished> {
  return new Promise((resolve) => {
    const options = { cwd: ROOT, env: { PATH: process.env['PATH'], ...env } };
    execFile(program, args, options, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr });
    });
  });
}

describe('the demo', () => {
  const services = useServices();
  const start = (env: Record<string, string> = {}): Service =>
    services.start({ DATABASE_URL: services.database.url, ...env });
  const demo = (env: Record<string, string> = {}) =>
    run(process.execPath, ['scripts/demo.mjs'], { DATA_DIR: services.dataDir, ...env });

  it('finds the service on any port, and runs twice', async () => {
    const url = await start().url();
    for (let time = 0; time < 2; time++) {
      const { code, output } = await demo();
      expect({ code, output }).toMatchObject({
        code: 0,
        output: expect.stringContaining(`Look around at ${url}/docs`),
      });
    }
  });

  it('says how to start a service when none runs, also after kill -9', async () => {
    const nowhere = { PORT: '1' };
    const advice =
      /^No Trivet runs on .*, and none responds at http:\/\/127\.0\.0\.1:1 \(.*\)\. Start it .*: npm start\n/;
    expect(await demo(nowhere)).toEqual({ code: 1, output: expect.stringMatching(advice) });

    const service = start();
    await service.url();
    await service.stop('SIGKILL');
    expect(await readFile(join(services.dataDir, 'running.json'), 'utf8')).toContain(String(service.pid));
    expect(await demo(nowhere)).toEqual({ code: 1, output: expect.stringMatching(advice) });
  });

  it('finds a service by PORT, and prefers TRIVET_URL', async () => {
    const url = new URL(await start().url());
    await writeFile(join(services.dataDir, 'running.json'), '{"pid": 0');
    expect(await demo({ PORT: url.port })).toMatchObject({ code: 0 });
    expect(await demo({ PORT: url.port, TRIVET_URL: 'http://127.0.0.1:1' })).toEqual({
      code: 1,
      output: expect.stringMatching(/^No Trivet responds at TRIVET_URL, http:\/\/127\.0\.0\.1:1 \(/),
    });
  });

  it('says which key it needs when the service has tenants of its own', async () => {
    const TENANTS = JSON.stringify([{ id: 'ten_acme', name: 'Acme', api_keys: [{ key: 'acme-key' }] }]);
    await start({ TENANTS }).url();
    expect(await demo()).toEqual({ code: 1, output: expect.stringContaining('set TRIVET_TENANT and TRIVET_KEY') });
    const wrong = await demo({ TRIVET_TENANT: 'ten_acme', TRIVET_KEY: 'another-key' });
    expect(wrong).toEqual({ code: 1, output: expect.stringContaining('does not accept the key for ten_acme (401)') });
  });
});

describe('the examples of the README, of /docs and of the demo', () => {
  const services = useServices();

  /** The shell commands of a page (of the README: of its example), for a service at `url`. Each prints its status. */
  async function commandsOf(page: string, url: string): Promise<string> {
    const text = await readFile(join(ROOT, page), 'utf8');
    const [, section = text] = /^### An example by hand$(.*?)^##/ms.exec(text) ?? [];
    return [...section.matchAll(/```sh\n(.*?)```/gs)]
      .map(([, commands]) => commands!)
      .join('\n')
      .replaceAll('http://127.0.0.1:3000', url)
      .replaceAll('.data/', `${services.dataDir}/`)
      .replaceAll('curl -s', `curl -s -w '\\nstatus %{http_code}\\n'`);
  }

  const statusesOf = (output: string) => [...output.matchAll(/^status (\d+)$/gm)].map(([, status]) => Number(status));

  async function byHand(url: string): Promise<number[]> {
    const { output } = await run('sh', ['-c', await commandsOf('README.md', url)], {});
    return statusesOf(output);
  }

  /** What "Try it out" sends for the operations that create a content type or a form. */
  async function byDocs(url: string): Promise<number[]> {
    const headers = {
      Authorization: `Bearer ${(await readFile(join(services.dataDir, 'demo-key'), 'utf8')).trim()}`,
      'Content-Type': 'application/json',
    };
    const statuses: number[] = [];
    for (const { path, body } of await examplesOf(url)) {
      statuses.push((await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })).status);
    }
    return statuses;
  }

  async function examplesOf(url: string): Promise<Example[]> {
    const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as {
      paths: Record<string, { post: { requestBody: { content: Record<string, { example: unknown }> } } }>;
    };
    return ['/v1/content/{tenant_id}/types', '/v1/forms/{tenant_id}'].map((path) => ({
      path: path.replace('{tenant_id}', 'ten_demo'),
      body: paths[path]!.post.requestBody.content['application/json']!.example,
    }));
  }

  const byDemo = async () => {
    const { code } = await run(process.execPath, ['scripts/demo.mjs'], { DATA_DIR: services.dataDir });
    return [code];
  };

  it('of the tutorials, and of the page about languages, work as they are printed', async () => {
    const url = await services.start({ DATABASE_URL: services.database.url }).url();
    // The site shows the magazine of the demo.
    expect(await byDemo()).toEqual([0]);
    for (const page of ['tutorials/first-site', 'tutorials/contact-form', 'how-to/use/several-languages']) {
      const { output } = await run('sh', ['-c', await commandsOf(`docs/${page}.md`, url)], {});
      const statuses = statusesOf(output);
      expect(statuses.length).toBeGreaterThan(5);
      expect([page, statuses.filter((status) => status >= 300 || status === 0)]).toEqual([page, []]);
    }
  });

  it('can be tried on one service in any order, and again', async () => {
    const url = await services.start({ DATABASE_URL: services.database.url }).url();
    const expected = new Map<(url: string) => Promise<number[]>, number[]>([
      // Create a type and an entry, list the entries with a key and without, create a form, submit it.
      [byHand, [201, 201, 200, 200, 201, 201]],
      [byDocs, [201, 201]],
      [byDemo, [0]],
    ]);
    for (const example of [byDocs, byHand, byDemo, byHand, byDocs, byDemo, byDocs, byHand]) {
      expect([example.name, await example(url)]).toEqual([example.name, expected.get(example)]);
    }
  });
});
