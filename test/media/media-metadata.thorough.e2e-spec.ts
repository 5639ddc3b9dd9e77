import { basename } from 'node:path';
import sharp from 'sharp';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { files } from '../support/files.js';
import { filesBelow } from '../support/files-below.js';
import { animatedPng, DELAYS, SECRET, taggedAnimations, taggedImages } from '../support/tagged-images.js';
import { multipart, pathOf, send, type TestMedia, upload } from '../support/upload.js';

const MAX_BYTES = 150_000;

describe('the metadata of images', () => {
  let app: TestApp;
  let plain: TestTenant;
  let strict: TestTenant;
  beforeAll(async () => {
    const tenant = (id: string, media?: object) => ({ id, name: id, api_keys: [{ key: `key-of-${id}` }], media });
    app = await startApp({
      MEDIA_MAX_BYTES: String(MAX_BYTES),
      MEDIA_TYPES: 'image/*,application/pdf',
      TENANTS: JSON.stringify([
        tenant('ten_plain'),
        tenant('ten_strict', { strip_metadata: true }),
        tenant('ten_alone', { strip_metadata: true }),
        tenant('ten_signed', { signed_variants: true }),
      ]),
    });
    plain = tenantOf('ten_plain');
    strict = tenantOf('ten_strict');
  });
  afterAll(() => app.close());

  const tenantOf = (id: string): TestTenant => ({ id, key: `key-of-${id}`, http: app.client(`Bearer key-of-${id}`) });

  let addresses = 0;
  const bytesAt = async (path: string): Promise<Buffer> => {
    const address = `198.51.100.${++addresses % 256}`;
    const response = await fetch(app.url + path, { headers: { 'X-Forwarded-For': address } });
    const bytes = Buffer.from(await response.arrayBuffer());
    if (response.status !== 200) throw new Error(`${path} is ${response.status}: ${bytes.toString()}`);
    return bytes;
  };

  /** What an image tells beside its pixels. */
  const metadataOf = async (image: Buffer): Promise<string[]> => {
    const { orientation = 1, exif, xmp, icc, iptc, comments } = await sharp(image).metadata();
    const found = Object.entries({ exif, xmp, icc, iptc, comments }).flatMap(([name, value]) => (value ? name : []));
    return [...found, ...(orientation === 1 ? [] : ['orientation']), ...(image.includes(SECRET) ? [SECRET] : [])];
  };
  const shown = async (image: Buffer): Promise<[number, number]> => {
    const { width, height } = await sharp(image).metadata();
    return [width, height];
  };

  const images = Object.entries(taggedImages);
  const animations = Object.entries(taggedAnimations);

  describe('in variants', () => {
    const OWN_SIZE = ['w=3840', 'h=3840', 'w=40&h=40', 'fit=cover', 'w=3840&h=3840&fit=outside'];

    it.each(images)('is absent and they are upright, whatever their size and format: %s', async (format, make) => {
      const image = await make();
      expect(await metadataOf(image)).toContain(SECRET);
      const { url } = await upload(app, plain, image);
      for (const query of [...OWN_SIZE, `format=${format === 'tiff' ? 'png' : format}`, 'format=webp', 'format=avif']) {
        const variant = await bytesAt(`${pathOf(url)}?${query}`);
        expect([query, ...(await shown(variant)), await metadataOf(variant)]).toEqual([query, 30, 40, []]);
      }
      expect(await shown(await bytesAt(`${pathOf(url)}?w=16`))).toEqual([16, 21]);
      expect(await bytesAt(pathOf(url))).toEqual(image);
    });

    it.each(animations)(
      'is absent from those of animations, of which they show the first image: %s',
      async (format, make) => {
        const image = await make();
        expect(image.includes(SECRET)).toBe(true);
        const { url } = await upload(app, plain, image);
        for (const query of [...OWN_SIZE, `format=${format === 'gif' ? 'png' : format}`]) {
          const variant = await bytesAt(`${pathOf(url)}?${query}`);
          const { pages = 1 } = await sharp(variant).metadata();
          expect([query, pages, await metadataOf(variant)]).toEqual([query, 1, []]);
        }
      },
    );

    it('is absent from the URL that the API returns for the own size, which needs a signature like any other', async () => {
      const tenant = tenantOf('ten_signed');
      const media = await upload(app, tenant, (await taggedImages['jpeg']?.()) ?? Buffer.alloc(0));
      const path = `/v1/media/${tenant.id}/${media.id}/variant-url`;
      const { body } = await tenant.http.get(`${path}?w=3840`).expect(200);
      const url = new URL(body.data.url);
      expect(await metadataOf(await bytesAt(url.pathname + url.search))).toEqual([]);
      await app
        .client()
        .get(`${pathOf(media.url)}?w=3840`)
        .expect(403);
      expect((await tenant.http.get(path).expect(200)).body.data.url).toBe(media.url);
    });
  });

  describe('with strip_metadata', () => {
    const stored = async (media: TestMedia): Promise<Buffer> => bytesAt(pathOf(media.url));
    const refusal = async (data: Buffer) => {
      const { status, body } = await send(app, strict, multipart([{ name: 'file', filename: 'a', data }]));
      return [status, ...body.errors.map(({ path, code }) => `${path} ${code}`)];
    };

    it.each(images)('is not stored, and the image is upright: %s', async (format, make) => {
      const media = await upload(app, strict, await make(), `photo.${format}`);
      const image = await stored(media);
      expect(await metadataOf(image)).toEqual([]);
      expect(await shown(image)).toEqual([30, 40]);
      expect(media).toMatchObject({ width: 30, height: 40, size: image.length, mime_type: `image/${format}` });
      const { data, info } = await sharp(image).raw().toBuffer({ resolveWithObject: true });
      const [red = 0, green = 0, blue = 0] = data.subarray(info.channels * 500);
      for (const [is, was] of [
        [red, 200],
        [green, 60],
        [blue, 20],
      ] as const)
        expect(Math.abs(is - was)).toBeLessThan(40);
    });

    it.each(animations)('is not stored, and an animation keeps its images: %s', async (format, make) => {
      const media = await upload(app, strict, await make());
      const image = await stored(media);
      expect(image.includes(SECRET)).toBe(false);
      const { width, pages, delay } = await sharp(image).metadata();
      expect([width, pages, delay]).toEqual([40, 3, DELAYS]);
      expect(media).toMatchObject({ width: 40, height: 30, size: image.length, mime_type: `image/${format}` });
    });

    it('counts the bytes that are stored, in the usage and in the event', async () => {
      const tenant = tenantOf('ten_alone');
      const media = await upload(app, tenant, (await taggedImages['jpeg']?.()) ?? Buffer.alloc(0));
      const image = await stored(media);
      const usage = await tenant.http.get(`/v1/usage/${tenant.id}`).expect(200);
      expect(usage.body.data.media_bytes).toBe(image.length);
      const [event] = await app.database.query<{ data: object }>('SELECT data FROM events WHERE tenant_id = $1', [
        tenant.id,
      ]);
      // It holds the path, so that a later `PUBLIC_URL` applies.
      expect(event?.data).toEqual({ ...media, url: pathOf(media.url) });
      const part = await fetch(app.url + pathOf(media.url), { headers: { Range: 'bytes=-4' } });
      expect(part.headers.get('content-range')).toBe(`bytes ${image.length - 4}-${image.length - 1}/${image.length}`);
    });

    it.each<[string, () => Promise<Buffer>]>([
      ['an animated PNG', animatedPng],
      ['HEIC', () => Promise.resolve(files.heic())],
      ['an image that is cut off', async () => (await files.jpeg(300, 300)).subarray(0, -60)],
    ])('refuses %s, and leaves nothing of it', async (_case, make) => {
      const before = await filesBelow(app.config.dataDir);
      const image = await make();
      expect(await refusal(image)).toEqual([422, 'file metadata']);
      expect(await filesBelow(app.config.dataDir)).toEqual(before);
      // Elsewhere the same image is stored.
      expect((await bytesAt(pathOf((await upload(app, plain, image)).url))).equals(image)).toBe(true);
    });

    it('refuses an image that would be too large without it', async () => {
      const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
      const create = { width: 700, height: 700, channels: 3, background: '#888', noise } as const;
      const image = await sharp({ create }).jpeg({ quality: 40 }).toBuffer();
      expect(image.length).toBeLessThan(MAX_BYTES);
      expect(await refusal(image)).toEqual([422, 'file too_large']);
    });

    it('stores drawings and documents as they were sent, and leaves no files in progress', async () => {
      for (const data of [files.svg('<metadata>me</metadata>'), files.pdf()]) {
        expect((await stored(await upload(app, strict, data))).equals(data)).toBe(true);
      }
      const others = (await filesBelow(app.config.dataDir)).filter((path) => path.startsWith('media-incoming'));
      expect(others.map((path) => basename(path))).toEqual([]);
    });
  });
});
