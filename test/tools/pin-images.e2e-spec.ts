import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');
const FILES = ['Dockerfile', 'compose.yaml'];

/** The registry's content for this path. */
const indexOf = (url: string) => JSON.stringify({ schemaVersion: 2, of: url });
const digestOf = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;

describe('node scripts/pin-images.mjs', () => {
  let folder: string;
  let registry: Server;
  let url: string;
  /** Overrides the digest that the registry reports. */
  let named: string | undefined;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'trivet-pin-'));
    for (const file of FILES) await copyFile(join(ROOT, file), join(folder, file));
    named = undefined;
    registry = createServer((request: IncomingMessage, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://registry');
      if (pathname === '/token') return response.end(JSON.stringify({ token: `may ${searchParams.get('scope')}` }));
      const repository = /^\/v2\/(.*)\/manifests\//.exec(pathname)?.[1];
      if (request.headers.authorization !== `Bearer may repository:${repository}:pull`) {
        response.setHeader('WWW-Authenticate', `Bearer realm="${url}/token",service="registry.test"`);
        return response.writeHead(401).end();
      }
      response.setHeader('Docker-Content-Digest', named ?? digestOf(indexOf(pathname)));
      return response.end(indexOf(pathname));
    });
    await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    await new Promise((resolve) => registry.close(resolve));
    await rm(folder, { recursive: true, force: true });
  });

  const run = (...options: string[]) =>
    promisify(execFile)(process.execPath, [join(ROOT, 'scripts/pin-images.mjs'), ...options], { cwd: folder }).then(
      ({ stdout }) => ({ code: 0, output: stdout }),
      ({ code, stderr }: { code: number; stderr: string }) => ({ code, output: stderr }),
    );
  const read = async () => (await Promise.all(FILES.map((file) => readFile(join(folder, file), 'utf8')))).join('');
  const images = (text: string) => [...text.matchAll(/^(?:FROM |\s+image: )(\S+)/gm)].map(([, image = '']) => image);

  it('writes the digest behind every tag and changes nothing else', async () => {
    const before = await read();
    expect(images(before).length).toBeGreaterThanOrEqual(4);
    expect(await run('--registry', url)).toMatchObject({ code: 0 });
    const after = await read();
    for (const image of images(after)) {
      const [tagged = '', digest] = image.split('@');
      expect(digest).toBe(digestOf(indexOf(`/v2/library/${tagged.replace(':', '/manifests/')}`)));
    }
    expect(after.replace(/@sha256:[0-9a-f]{64}/g, '')).toBe(before.replace(/@sha256:[0-9a-f]{64}/g, ''));
    expect(await run('--registry', url)).toMatchObject({ code: 0 });
    expect(await read()).toBe(after);
    expect(await run('--check')).toMatchObject({ code: 0 });
  });

  it('writes nothing if the reported digest differs from that of the content', async () => {
    const before = await read();
    named = digestOf('another');
    const { code, output } = await run('--registry', url);
    expect(code).toBe(1);
    expect(output).toContain('but names');
    expect(await read()).toBe(before);
  });

  it('finds images with exact tags in the repository’s own files', async () => {
    for (const image of images(await read()))
      expect(image).toMatch(/^[a-z]+:\d+\.\d+[\w.]*-[a-z-]+(@sha256:[0-9a-f]{64})?$/);
  });
});
