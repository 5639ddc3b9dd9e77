import sharp from 'sharp';
import { parseId } from '../../src/ids/type-id.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { files } from '../support/files.js';
import { pathOf, upload } from '../support/upload.js';

describe('media files', () => {
  let app: TestApp;
  let tenant: TestTenant;
  beforeAll(async () => {
    app = await startApp();
    tenant = app.tenant();
  });
  afterAll(() => app.close());

  const get = (path: string, headers: Record<string, string> = {}) => app.client(undefined, headers).get(path);
  const bytes = async (path: string, headers: Record<string, string> = {}) =>
    get(path, headers)
      .buffer(true)
      .parse((response, done) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => done(null, Buffer.concat(chunks)));
      });

  describe('are served', () => {
    it('to anyone, as immutable', async () => {
      const png = await files.png();
      const media = await upload(app, tenant, png, 'red.png');
      const response = await get(pathOf(media.url)).expect(200);
      expect(response.body).toEqual(png);
      expect(response.headers).toMatchObject({
        'content-type': 'image/png',
        'content-length': String(png.length),
        'content-disposition': 'inline; filename=red.png',
        'cache-control': 'public, max-age=31536000, immutable',
        'accept-ranges': 'bytes',
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        'x-content-type-options': 'nosniff',
        etag: `"${media.id}"`,
      });
      expect(response.headers).not.toHaveProperty('content-security-policy');
    });

    it.each([
      ['SVG', () => files.svg('<script>alert(document.domain)</script>'), 'image/svg+xml'],
      ['HTML', () => Buffer.from('<!doctype html><script>alert(1)</script>'), 'text/html'],
      [
        'XML',
        () => Buffer.from('<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>'),
        'application/xml',
      ],
      ['text', () => Buffer.from('plain'), 'text/plain'],
      ['documents', () => files.docx(), expect.stringContaining('wordprocessingml')],
    ])('as sandboxed attachments, if they are %s', async (_name, make, type) => {
      const media = await upload(app, tenant, make(), 'file');
      const { headers } = await get(pathOf(media.url)).expect(200);
      expect(headers['content-type']).toEqual(type);
      expect(headers['content-disposition']).toBe('attachment; filename=file');
      expect(headers['content-security-policy']).toMatch(/^sandbox; default-src 'none'/);
      expect(headers['x-content-type-options']).toBe('nosniff');
    });

    it.each([
      ['PDF', files.pdf],
      ['audio', files.mp3],
      ['video', files.mp4],
    ])('inline, if they are %s', async (_name, make) => {
      const media = await upload(app, tenant, make(), 'file');
      expect((await get(pathOf(media.url)).expect(200)).headers['content-disposition']).toMatch(/^inline;/);
    });

    it('with a filename that every browser reads and every file system accepts', async () => {
      const name = async (filename: string) => {
        const media = await upload(app, tenant, await files.png(), filename);
        return (await get(pathOf(media.url))).headers['content-disposition'];
      };
      expect(await name('Grüße.png')).toBe(`inline; filename="Gr??e.png"; filename*=UTF-8''Gr%C3%BC%C3%9Fe.png`);
      expect(await name('../../etc/passwd')).toBe('inline; filename=passwd');
      expect(await name('photo\u202egnp.exe')).toBe('inline; filename=photognp.exe');
      expect(await name(`${'x'.repeat(400)}.png`)).toBe(`inline; filename=${'x'.repeat(146)}.png`);
      expect(await name('a; x=y.png')).toMatch(/^inline; filename="a; x=y.png"/);
    });

    it('with only headers for HEAD', async () => {
      const media = await upload(app, tenant, await files.png(), 'red.png');
      const { status, headers, body } = await get(pathOf(media.url));
      const head = await fetch(app.url + pathOf(media.url), { method: 'HEAD' });
      expect(head.status).toBe(status);
      for (const name of ['content-type', 'content-length', 'etag', 'cache-control']) {
        expect(head.headers.get(name)).toBe(headers[name]);
      }
      expect(await head.arrayBuffer()).toHaveProperty('byteLength', 0);
      expect(body.length).toBeGreaterThan(0);
    });

    it.each(['If-None-Match', 'if-none-match'])('as 304 if the client already has them (%s)', async (header) => {
      const media = await upload(app, tenant, await files.png());
      for (const tag of [`"${media.id}"`, `W/"${media.id}"`, `"x", "${media.id}"`, '*']) {
        const response = await get(pathOf(media.url), { [header]: tag }).expect(304);
        expect(response.headers['etag']).toBe(`"${media.id}"`);
        expect(response.headers).not.toHaveProperty('content-length');
        expect(response.headers['cache-control']).toContain('immutable');
      }
      await get(pathOf(media.url), { [header]: '"other"' }).expect(200);
    });

    it('only at their own URL', async () => {
      const { id } = await upload(app, tenant, await files.png());
      for (const path of [
        `/media/${tenant.id}/${id}`,
        `/media/${tenant.id}/${id}.jpg`,
        `/media/${tenant.id}/${id}.png.png`,
        `/media/${tenant.id}/${id}.PNG`,
        `/media/ten_unknown/${id}.png`,
        `/media/${app.tenant().id}/${id}.png`,
        `/media/${tenant.id}/..%2f..%2fetc%2fpasswd`,
        `/media/..%2f..%2f/${id}.png`,
        `/media/${tenant.id}`,
        `/media/`,
      ]) {
        const response = await get(path).expect(404);
        expect(response.body.code).toBe('not_found');
        expect(response.headers['cache-control']).not.toContain('public');
      }
      await app.client().post(`/media/${tenant.id}/${id}.png`, {}).expect(405);
    });
  });

  it.each(['fbclid=IwAR0', 'utm_source=a&utm_medium=b', 'v=2', 'v=2&v=3', 'a[b]=%00', '%FF=%FF', 'width=10'])(
    'are served by links with parameters of others: %s',
    async (query) => {
      const png = await files.png();
      const path = pathOf((await upload(app, tenant, png)).url);
      expect((await bytes(`${path}?${query}`)).body).toEqual(png);
      const variant = await bytes(`${path}?${query}&w=16`);
      expect((await sharp(variant.body as Buffer).metadata()).width).toBe(16);
    },
  );

  describe('as a range', () => {
    const data = Buffer.from(Array.from({ length: 1000 }, (_, index) => String(index).padStart(4, '0')).join('\n'));
    const { length } = data;
    let path: string;
    let etag: string;
    beforeAll(async () => {
      const media = await upload(app, tenant, data, 'numbers.txt');
      path = pathOf(media.url);
      etag = `"${media.id}"`;
    });

    it.each([
      ['bytes=0-9', 0, 9],
      ['bytes=10-', 10, length - 1],
      ['bytes=-10', length - 10, length - 1],
      [`bytes=100-${length * 2}`, 100, length - 1],
      [`bytes=-${length * 2}`, 0, length - 1],
      ['bytes=0-0', 0, 0],
      ['bytes=7-7', 7, 7],
    ])('%s', async (range, start, end) => {
      const response = await bytes(path, { Range: range });
      expect(response.status).toBe(206);
      expect(response.headers['content-range']).toBe(`bytes ${start}-${end}/${length}`);
      expect(response.headers['content-length']).toBe(String(end - start + 1));
      expect(response.body).toEqual(data.subarray(start, end + 1));
    });

    it.each([`bytes=${length}-`, 'bytes=-0', 'bytes=99999999999999999999-', `bytes=${length + 5}-${length + 9}`])(
      'answer 416 for %s',
      async (range) => {
        const response = await get(path, { Range: range }).expect(416);
        expect(response.headers['content-range']).toBe(`bytes */${length}`);
        expect(response.headers).not.toHaveProperty('etag');
      },
    );

    it.each([
      'bytes=0-1,5-6',
      'bytes=0-1,5-6,10-11,20-30',
      'lines=0-5',
      'bytes',
      'bytes=x-y',
      'bytes=-',
      'bytes=9-5',
      '',
    ])('completely for %s', async (range) => {
      const response = await bytes(path, { Range: range });
      expect([response.status, response.body.length]).toEqual([200, length]);
    });

    it('only for the version that the client has', async () => {
      await get(path, { Range: 'bytes=0-1', 'If-Range': etag }).expect(206);
      await get(path, { Range: 'bytes=0-1', 'If-Range': '"other"' }).expect(200);
      await get(path, { Range: 'bytes=0-1', 'If-None-Match': etag }).expect(304);
    });
  });

  describe('as variants', () => {
    let path: string;
    let id: string;
    beforeAll(async () => {
      const media = await upload(app, tenant, await files.jpeg(400, 200), 'photo.of.me.jpg');
      ({ id } = media);
      path = pathOf(media.url);
    });

    const shape = async (query: string, of = path) => {
      const response = await bytes(`${of}?${query}`);
      if (response.status !== 200) throw new Error(response.body.toString());
      const { format, width, height, pages } = await sharp(response.body as Buffer).metadata();
      expect(response.headers['content-length']).toBe(String(response.body.length));
      return [response.headers['content-type'], format === 'heif' ? 'avif' : format, width, height, pages ?? 1];
    };

    it.each([
      ['w=128', 'jpeg', 128, 64],
      ['h=96', 'jpeg', 192, 96],
      ['w=128&h=128', 'jpeg', 128, 128],
      ['w=128&h=128&fit=cover', 'jpeg', 128, 128],
      ['w=128&h=128&fit=contain', 'jpeg', 128, 128],
      ['w=128&h=128&fit=inside', 'jpeg', 128, 64],
      ['w=128&h=128&fit=outside', 'jpeg', 256, 128],
      ['w=128&format=webp', 'webp', 128, 64],
      ['w=128&format=avif', 'avif', 128, 64],
      ['w=128&format=png', 'png', 128, 64],
      ['format=webp', 'webp', 400, 200],
      ['w=3840', 'jpeg', 400, 200],
      ['w=3840&format=webp', 'webp', 400, 200],
      ['w=16', 'jpeg', 16, 8],
    ])('%s', async (query, format, width, height) => {
      expect(await shape(query)).toEqual([`image/${format}`, format, width, height, 1]);
      // The second response comes from storage.
      expect(await shape(query)).toEqual([`image/${format}`, format, width, height, 1]);
    });

    it.each([
      ['w=1', 16, 8],
      ['w=17', 32, 16],
      ['w=300', 320, 160],
      ['w=320', 320, 160],
      ['h=97', 256, 128],
      ['w=300&h=100', 320, 128],
      ['w=300&h=60&fit=inside', 128, 64],
      // The next size is larger than the image, which is never enlarged.
      ['w=321', 400, 200],
      ['w=321&h=50', 400, 64],
    ])('in the next allowed size for %s', async (query, width, height) => {
      expect(await shape(query)).toEqual(['image/jpeg', 'jpeg', width, height, 1]);
    });

    it('that are the same for all queries with the same resulting size', async () => {
      const media = await upload(app, tenant, await files.jpeg(400, 200));
      const tags = new Set<string | undefined>();
      for (let width = 241; width <= 320; width += 13) {
        tags.add((await get(`${pathOf(media.url)}?w=${width}`).expect(200)).headers['etag']);
      }
      expect([...tags]).toEqual([`"${media.id}-w320.jpeg"`]);
    });

    it('of at most 3,840 × 3,840 pixels', async () => {
      const media = await upload(app, tenant, await files.png(12_000, 4_000));
      const { body } = await get(`${pathOf(media.url)}?w=3840&h=3840&fit=outside`).expect(400);
      expect(body.errors[0]).toMatchObject({ path: 'fit', code: 'invalid_parameter' });
      expect(await shape('w=16&h=48&fit=outside', pathOf(media.url))).toEqual(['image/png', 'png', 144, 48, 1]);
    });

    it('with their own headers', async () => {
      const first = await get(`${path}?w=48&format=webp`).expect(200);
      expect(first.headers).toMatchObject({
        etag: `"${id}-w48.webp"`,
        'content-type': 'image/webp',
        'content-disposition': 'inline; filename=photo.of.me.webp',
        'cache-control': 'public, max-age=31536000, immutable',
      });
      await get(`${path}?w=48&format=webp`, { 'If-None-Match': first.headers['etag'] as string }).expect(304);
      const head = await fetch(`${app.url}${path}?w=48&format=webp`, { method: 'HEAD' });
      expect(head.headers.get('content-length')).toBe(first.headers['content-length']);
    });

    it('upright and without metadata', async () => {
      const media = await upload(app, tenant, await files.turned());
      const { body } = await bytes(`${pathOf(media.url)}?w=16`);
      const { width, height, orientation, exif } = await sharp(body as Buffer).metadata();
      expect([width, height, orientation ?? 1, exif]).toEqual([16, 21, 1, undefined]);
    });

    it.each([
      ['png', files.png, 'png'],
      ['webp', files.webp, 'webp'],
      ['avif', files.avif, 'avif'],
      ['gif', files.gif, 'png'],
      ['tiff', files.tiff, 'png'],
    ])('of %s', async (_name, make, format) => {
      const media = await upload(app, tenant, await make());
      expect(await shape('w=32', pathOf(media.url))).toEqual([`image/${format}`, format, 32, 24, 1]);
    });

    it.each([
      'w=0',
      'w=-1',
      'w=abc',
      'w=',
      'w=1.5',
      'w=1e3',
      'w=3841',
      'w=999999999999999999999',
      'h=3841',
      'w=10&w=20',
      'fit=stretch',
      'fit=',
      'format=gif',
      'format=svg',
      'format=../../x',
      'w=0&utm_source=x',
    ])('not for %s, which answers 400', async (query) => {
      const response = await get(`${path}?${query}`).expect(400);
      expect(response.body.code).toMatch(/^(invalid|unknown)_parameter$/);
    });

    it.each([
      ['SVG', () => files.svg(), 'Only image/png, image/apng, image/jpeg'],
      ['PDF', () => files.pdf(), 'Only image/png'],
      ['text', () => Buffer.from('text'), 'Only image/png'],
      ['HEIC', () => files.heic(), 'The service cannot decode them. Convert the image'],
    ])('not of %s, and the response says why', async (_name, make, reason) => {
      const media = await upload(app, tenant, make());
      for (const [query, path] of [
        ['w=10', 'w'],
        ['format=png', 'format'],
      ]) {
        const { body } = await get(`${pathOf(media.url)}?${query}`).expect(400);
        expect(body).toMatchObject({ code: 'invalid_parameter', errors: [{ path }] });
        expect(body.detail).toContain(`Files of the type ${media.mime_type} have no variants. ${reason}`);
        const url = `/v1/media/${tenant.id}/${media.id}/variant-url?${query}`;
        expect((await tenant.http.get(url).expect(400)).body.detail).toBe(body.detail);
      }
    });

    it('of the undamaged part of a damaged image, or answer 400', async () => {
      const cutOff = async (data: Buffer) => {
        const media = await upload(app, tenant, data.subarray(0, data.length - 30));
        return (await get(`${pathOf(media.url)}?w=10`)).status;
      };
      expect(await cutOff(await files.avif(300, 300))).toBe(400);
      expect(await cutOff(await files.jpeg(300, 300))).toBe(200);
    });

    it('that are new at most 120 times a minute for each client', async () => {
      const from = (address: string) => ({ 'X-Forwarded-For': address });
      const statuses: number[] = [];
      for (let upload_ = 0; upload_ < 5; upload_++) {
        const media = await upload(app, tenant, await files.png(300, 300));
        const sides = [16, 32, 48, 64, 96, 128];
        for (const [w, h] of sides.flatMap((w) => sides.slice(1).map((h) => [w, h]))) {
          statuses.push((await get(`${pathOf(media.url)}?w=${w}&h=${h}`, from('203.0.113.7'))).status);
        }
      }
      expect(statuses.filter((status) => status === 200)).toHaveLength(120);
      expect(statuses.filter((status) => status === 429)).toHaveLength(30);
      await get(`${path}?w=128`, from('203.0.113.7')).expect(200);
      await get(`${path}?w=240`, from('203.0.113.8')).expect(200);
    });

    it('that are made once for simultaneous requests', async () => {
      const media = await upload(app, tenant, await files.jpeg(1000, 1000));
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => bytes(`${pathOf(media.url)}?w=480`, { 'X-Forwarded-For': '203.0.113.9' })),
      );
      for (const { status, body } of answers) expect([status, body.length]).toEqual([200, answers[0]?.body.length]);
      expect(
        await app.database.query('SELECT name, bytes::int FROM media_variants WHERE media_id = $1::uuid', [
          parseId('med', media.id),
        ]),
      ).toEqual([{ name: 'w480.jpeg', bytes: Math.ceil((answers[0]?.body.length ?? 0) / 4_096) * 4_096 }]);
    });

    it('until the file is deleted', async () => {
      const media = await upload(app, tenant, await files.png());
      const of = pathOf(media.url);
      await get(`${of}?w=16`).expect(200);
      await tenant.http.delete(`/v1/media/${tenant.id}/${media.id}`).expect(200);
      await get(`${of}?w=16`).expect(404);
      await get(`${of}?w=32`).expect(404);
    });
  });
});
