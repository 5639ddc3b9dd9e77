import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import sharp from 'sharp';
import { parseId } from '../../src/ids/type-id.js';
import { MediaSweeper } from '../../src/media/media-sweeper.js';
import { keyOf, MediaStorage } from '../../src/media/storage/media-storage.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { files } from '../support/files.js';
import { filesBelow } from '../support/files-below.js';
import { expectServerErrors } from '../support/server-errors.js';
import { pathOf, upload } from '../support/upload.js';
import { until } from '../support/until.js';

const DAY = 86_400_000;

/** A picture that compresses badly, so that its variants are large. */
async function noise(width: number, height: number): Promise<Buffer> {
  const tile = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  const picture = sharp({ create: { width, height, channels: 3, background: '#888', noise: tile } });
  return picture.jpeg({ quality: 95 }).toBuffer();
}

let addresses = 0;
/** A new client address, so that no limit per address applies. */
const newAddress = () => ({ 'X-Forwarded-For': `198.51.${(addresses >> 8) % 256}.${addresses++ % 256}` });

/** The stored size of each variant by name, in bytes (whole blocks). */
async function storedVariants(app: TestApp): Promise<Map<string, number>> {
  const folder = join(app.config.dataDir, 'media');
  const variants = (await filesBelow(folder)).filter((path) => basename(path) !== 'original');
  const sizes = await Promise.all(
    variants.map(async (path): Promise<[string, number]> => {
      const { size } = await stat(join(folder, path));
      return [path, Math.ceil(size / 4_096) * 4_096];
    }),
  );
  return new Map(sizes);
}

const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, number) => total + number, 0);

describe('stored variants', () => {
  const CAPACITY = 3_000_000;
  let app: TestApp;
  beforeEach(async () => {
    app = await startApp({ VARIANTS_MAX_BYTES: String(CAPACITY) });
  });
  afterEach(() => app.close());

  const get = (path: string) => app.client(undefined, newAddress()).get(path);
  const keyIn = (id: string, name: string) => keyOf(parseId('med', id) ?? '', name);
  const setUse = (name: string, ago: number) =>
    app.database.query('UPDATE media_variants SET used_at = $2 WHERE name = $1', [name, new Date(Date.now() - ago)]);
  const totals = () =>
    app.database.query<{ tenant_id: string; bytes: number }>(
      'SELECT tenant_id, bytes::int FROM media_variant_totals WHERE bytes > 0',
    );

  it('stay within VARIANTS_MAX_BYTES: the least recently used are deleted first', async () => {
    const tenant = app.tenant();
    const media = await upload(app, tenant, await noise(960, 960));
    const path = pathOf(media.url);
    const sides = [96, 128, 160, 240, 320, 480, 640];
    for (const side of sides) {
      await get(`${path}?w=${side}&format=png`).expect(200);
      await setUse(`w${side}.png`, (900 - side) * 1_000);
      expect(sum((await storedVariants(app)).values())).toBeLessThanOrEqual(CAPACITY);
    }
    for (const h of [480, 640]) await get(`${path}?w=640&h=${h}&format=png`).expect(200);
    const stored = await storedVariants(app);
    expect(sum(stored.values())).toBeLessThanOrEqual(CAPACITY);
    expect([...stored.keys()]).toContain(keyIn(media.id, 'w640h640-cover.png'));
    expect([...stored.keys()]).not.toContain(keyIn(media.id, 'w96.png'));
    expect(await totals()).toEqual([{ tenant_id: tenant.id, bytes: sum(stored.values()) }]);
    // A deleted variant is made again on request.
    await get(`${path}?w=96&format=png`).expect(200);
  });

  it('in many sizes for one client do not prevent those that a site uses', async () => {
    const tenant = app.tenant();
    const path = pathOf((await upload(app, tenant, await files.jpeg(400, 300))).url);
    for (const w of [16, 32, 48, 64, 96, 128]) {
      for (const h of [16, 32, 48, 64, 96, 128]) await get(`${path}?w=${w}&h=${h}`).expect(200);
    }
    await get(`${path}?w=240&h=160`).expect(200);
    await get(`${path}?w=320`).expect(200);
  });

  it('of a tenant that uses little stay while another fills the budget', async () => {
    const [modest, greedy] = [app.tenant(), app.tenant()];
    const own = await upload(app, modest, await noise(320, 320));
    await get(`${pathOf(own.url)}?w=160&format=png`).expect(200);
    await setUse('w160.png', DAY);
    const other = await upload(app, greedy, await noise(960, 960));
    for (const w of [480, 640, 800]) {
      for (const h of [320, 480, 640]) await get(`${pathOf(other.url)}?w=${w}&h=${h}&format=png`).expect(200);
    }
    const stored = await storedVariants(app);
    expect([...stored.keys()]).toContain(keyIn(own.id, 'w160.png'));
    expect(sum(stored.values())).toBeLessThanOrEqual(CAPACITY);
    // A later variant is stored too.
    const late = await upload(app, modest, await noise(640, 640));
    await get(`${pathOf(late.url)}?w=480&format=png`).expect(200);
    expect([...(await storedVariants(app)).keys()]).toContain(keyIn(late.id, 'w480.png'));
  });

  it('never take more than half of the budget each', async () => {
    const media = await upload(app, app.tenant(), await noise(960, 960));
    const { body } = await get(`${pathOf(media.url)}?format=png`).expect(400);
    expect(body).toMatchObject({ code: 'invalid_parameter', detail: expect.stringContaining('too large') });
    expect(await storedVariants(app)).toEqual(new Map());
    await get(`${pathOf(media.url)}?w=320&format=png`).expect(200);
  });

  it('that are requested at once stay within the budget', async () => {
    const paths = await Promise.all(
      Array.from({ length: 4 }, async () => pathOf((await upload(app, app.tenant(), await noise(640, 640))).url)),
    );
    const sides = [240, 320, 480];
    const answers = await Promise.all(
      paths.flatMap((path) => sides.map((side) => get(`${path}?w=${side}&format=png`).then(({ status }) => status))),
    );
    expect(new Set(answers)).toEqual(new Set([200]));
    const stored = await storedVariants(app);
    expect(sum(stored.values())).toBeLessThanOrEqual(CAPACITY);
    expect(sum((await totals()).map(({ bytes }) => bytes))).toBe(sum(stored.values()));
  });

  it('record their use at most once an hour', async () => {
    const tenant = app.tenant();
    const path = pathOf((await upload(app, tenant, await files.png())).url);
    const usedAt = async () => {
      const [row] = await app.database.query<{ used_at: Date }>('SELECT used_at FROM media_variants');
      return row?.used_at.getTime() ?? 0;
    };
    await get(`${path}?w=16`).expect(200);
    const made = await usedAt();
    await get(`${path}?w=16`).expect(200);
    expect(await usedAt()).toBe(made);
    // Another process of the service, which has not cached that.
    const restarted = await startApp(
      { DATA_DIR: app.config.dataDir, TENANTS: tenants(app) },
      { database: app.database },
    );
    try {
      await restarted.client().get(`${path}?w=16`).expect(200);
      expect(await usedAt()).toBe(made);
      await setUse('w16.png', 2 * 3_600_000);
      const longAgo = await usedAt();
      const again = await startApp({ DATA_DIR: app.config.dataDir, TENANTS: tenants(app) }, { database: app.database });
      try {
        await again.client().get(`${path}?w=16`).expect(200);
        await until(async () => (await usedAt()) > longAgo);
      } finally {
        await again.close();
      }
    } finally {
      await restarted.close();
    }
  });

  it('are made again when their bytes are lost', async () => {
    const media = await upload(app, app.tenant(), await files.png());
    const path = `${pathOf(media.url)}?w=16`;
    await get(path).expect(200);
    await app.app.get(MediaStorage).remove([keyIn(media.id, 'w16.png')]);
    await get(path).expect(200);
    expect(sum((await storedVariants(app)).values())).toBe((await totals())[0]?.bytes);
  });

  it('from an earlier version are measured when they are used, and deleted otherwise', async () => {
    const media = await upload(app, app.tenant(), await files.png());
    const path = `${pathOf(media.url)}?w=16`;
    await get(path).expect(200);
    const bytes = (await totals())[0]?.bytes;
    // Rows as the migration leaves them, and a second variant that is never requested.
    await app.database.query(`UPDATE media_variant_totals SET bytes = 0`);
    await app.database.query(`UPDATE media_variants SET bytes = 0, used_at = now() - interval '1 day'`);
    await app.database.query(
      `INSERT INTO media_variants SELECT tenant_id, media_id, 'w333.png', 0, used_at FROM media_variants`,
    );
    const restarted = await startApp(
      { DATA_DIR: app.config.dataDir, TENANTS: tenants(app) },
      { database: app.database },
    );
    try {
      await restarted.client().get(path).expect(200);
      await until(async () => (await totals())[0]?.bytes === bytes);
    } finally {
      await restarted.close();
    }
    await app.get(MediaSweeper).sweep(new Date(Date.now() + 5 * DAY));
    expect(await app.database.query('SELECT name FROM media_variants ORDER BY name')).toHaveLength(2);
    await app.get(MediaSweeper).sweep(new Date(Date.now() + 7 * DAY));
    expect(await app.database.query('SELECT name FROM media_variants')).toEqual([{ name: 'w16.png' }]);
  });

  it('of a deleted file are no longer counted', async () => {
    const tenant = app.tenant();
    const media = await upload(app, tenant, await files.png());
    await get(`${pathOf(media.url)}?w=16`).expect(200);
    expect(await totals()).toHaveLength(1);
    await tenant.http.delete(`/v1/media/${tenant.id}/${media.id}`).expect(200);
    expect([await totals(), await storedVariants(app)]).toEqual([[], new Map()]);
    await app.get(MediaSweeper).sweep(new Date(Date.now() + DAY));
    expect(await app.database.query('SELECT 1 FROM media_variants')).toEqual([]);
  });

  it('whose file is deleted while they are made leave nothing', async () => {
    const tenant = app.tenant();
    const media = await upload(app, tenant, await files.png());
    const storage = app.app.get(MediaStorage);
    const put = storage.put.bind(storage);
    jest.spyOn(storage, 'put').mockImplementationOnce(async (...args) => {
      await tenant.http.delete(`/v1/media/${tenant.id}/${media.id}`).expect(200);
      await put(...args);
    });
    await get(`${pathOf(media.url)}?w=16`).expect(404);
    expect(await storedVariants(app)).toEqual(new Map());
    await app.get(MediaSweeper).sweep(new Date(Date.now() + DAY));
    expect(await app.database.query('SELECT 1 FROM media_variants')).toEqual([]);
    expect(await totals()).toEqual([]);
  });
});

/** The configuration of the application's tenants, for another application on the same data. */
function tenants(app: TestApp): string {
  return JSON.stringify(app.config.tenants.map(({ id, name }) => ({ id, name, api_keys: [] })));
}

describe('signed variants', () => {
  let app: TestApp;
  const tenant: Pick<TestTenant, 'id'> & { key: string } = { id: 'ten_signed', key: 'signed-key' };
  beforeAll(async () => {
    const reader = { name: 'reader', key: 'reader-key', scopes: ['media:read'] };
    const others = { name: 'others', key: 'others-key', scopes: ['media:write', 'content:read'] };
    app = await startApp({
      TENANTS: JSON.stringify([
        {
          id: tenant.id,
          name: 'Signed',
          api_keys: [{ key: tenant.key }, reader, others],
          media: { signed_variants: true },
        },
        { id: 'ten_open', name: 'Open', api_keys: [{ key: 'open-key' }], media: { signed_variants: false } },
      ]),
    });
  });
  afterAll(() => app.close());

  const get = (path: string) => app.client(undefined, newAddress()).get(path);
  const uploadTo = (id: string, key: string, data: Buffer) =>
    upload(app, { id, key, http: app.client(`Bearer ${key}`) }, data);
  const signedUrl = async (media: { id: string }, query: string, { id, key } = tenant) => {
    const path = `/v1/media/${id}/${media.id}/variant-url?${query}`;
    const { body } = await app.client(`Bearer ${key}`).get(path).expect(200);
    return new URL((body as { data: { url: string } }).data.url);
  };
  const relative = ({ pathname, search }: URL) => pathname + search;

  it('are served only for the URL from the API', async () => {
    const media = await uploadTo(tenant.id, tenant.key, await files.jpeg(400, 300));
    const url = await signedUrl(media, 'w=300&format=webp');
    expect(url.href).toMatch(new RegExp(`^${media.url.replaceAll('.', '\\.')}\\?w=320&format=webp&s=[\\w-]{22}$`));
    const { headers } = await get(relative(url)).expect(200);
    expect(headers['content-type']).toBe('image/webp');

    const signature = url.searchParams.get('s');
    for (const query of [
      'w=320&format=webp',
      'w=320&format=webp&s=',
      `w=320&format=webp&s=${'A'.repeat(22)}`,
      `w=320&format=webp&s=${signature}=`,
      `w=320&s=${signature}`,
      `w=300&format=webp&s=${signature}`,
      `w=240&format=webp&s=${signature}`,
      `w=320&h=320&format=webp&s=${signature}`,
      'format=webp',
    ]) {
      const response = await get(`${url.pathname}?${query}`).expect(403);
      expect([query, response.body.code]).toEqual([query, 'forbidden']);
      expect(response.headers['cache-control']).toBe('no-store');
    }
    await get(`${url.pathname}?w=320&format=webp&s=${signature}&s=${signature}`).expect(400);
    await get(`${url.pathname}?w=0&s=${signature}`).expect(400);
    const other = await uploadTo(tenant.id, tenant.key, await files.jpeg(400, 300));
    await get(`${pathOf(other.url)}?w=320&format=webp&s=${signature}`).expect(403);
    expect(await app.database.query('SELECT name FROM media_variants')).toEqual([{ name: 'w320.webp' }]);
  });

  it('need a signature also in the size of the image, but the file itself needs none', async () => {
    const media = await uploadTo(tenant.id, tenant.key, await files.jpeg(40, 30));
    await get(pathOf(media.url)).expect(200);
    await get(`${pathOf(media.url)}?s=anything`).expect(200);
    expect((await signedUrl(media, '')).href).toBe(media.url);
    for (const query of ['w=3840', 'format=jpeg']) {
      await get(`${pathOf(media.url)}?${query}`).expect(403);
      await get(relative(await signedUrl(media, query))).expect(200);
    }
  });

  it('are required only for tenants that are configured so', async () => {
    const media = await uploadTo('ten_open', 'open-key', await files.jpeg(400, 300));
    await get(`${pathOf(media.url)}?w=320`).expect(200);
    await get(`${pathOf(media.url)}?w=320&s=wrong`).expect(200);
    const url = await signedUrl(media, 'w=320', { id: 'ten_open', key: 'open-key' });
    await get(relative(url)).expect(200);
  });

  it('are signed for keys that may read media', async () => {
    const media = await uploadTo(tenant.id, tenant.key, await files.jpeg(400, 300));
    const path = `/v1/media/${tenant.id}/${media.id}/variant-url?w=320`;
    await app.client().get(path).expect(401);
    await app.client('Bearer others-key').get(path).expect(403);
    await app.client('Bearer reader-key').get(path).expect(200);
    await app.client('Bearer open-key').get(path).expect(403);
    await app.client('Bearer open-key').get(path.replace(tenant.id, 'ten_open')).expect(404);
    const reader = app.client('Bearer reader-key');
    for (const query of ['w=0', 'w=x', 'fit=stretch', 'w=1&w=2', 's=x', 'quality=1']) {
      await reader.get(path.replace('w=320', query)).expect(400);
    }
    const text = await uploadTo(tenant.id, tenant.key, Buffer.from('text'));
    await reader.get(`/v1/media/${tenant.id}/${text.id}/variant-url?w=320`).expect(400);
  });
});

describe('variants that fail', () => {
  let app: TestApp;
  let tenant: TestTenant;
  beforeAll(async () => {
    app = await startApp();
    tenant = app.tenant();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => app.close());

  const get = (path: string) => app.client(undefined, newAddress()).get(path);

  it('because of the picture are not retried at once', async () => {
    const data = await files.avif(300, 300);
    const media = await upload(app, tenant, data.subarray(0, data.length - 30));
    const read = jest.spyOn(app.app.get(MediaStorage), 'localPath');
    for (let times = 0; times < 3; times++) {
      const { body } = await get(`${pathOf(media.url)}?w=16`).expect(400);
      expect(body.code).toBe('invalid_parameter');
    }
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('because of the storage are retried with the next request', async () => {
    expectServerErrors(503, 507);
    const path = `${pathOf((await upload(app, tenant, await files.png())).url)}?w=16`;
    const storage = app.app.get(MediaStorage);
    const failure = (code: string) => Object.assign(new Error(`${code}: it failed`), { code, syscall: 'write' });
    jest.spyOn(storage, 'put').mockRejectedValueOnce(failure('ENOSPC'));
    expect((await get(path)).body).toMatchObject({ status: 507, code: 'insufficient_storage' });
    jest.spyOn(storage, 'put').mockRejectedValueOnce(failure('EIO'));
    const away = await get(path).expect(503);
    expect([away.body.code, away.headers['retry-after']]).toEqual(['unavailable', '5']);
    jest.spyOn(storage, 'read').mockRejectedValueOnce(failure('EMFILE'));
    await get(path).expect(503);
    expect(await app.database.query('SELECT 1 FROM media_variants')).toEqual([]);
    await get(path).expect(200);
  });
});

describe('variants of many tenants', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  const get = (path: string) => app.client(undefined, newAddress()).get(path);

  it('are made in turn: 90 of one tenant at once do not delay one of another', async () => {
    expectServerErrors(503);
    const [greedy, other] = [app.tenant(), app.tenant()];
    const picture = await noise(2_000, 2_000);
    const large = pathOf((await upload(app, greedy, picture)).url);
    const small = pathOf((await upload(app, other, await files.jpeg(400, 300))).url);
    const sides = [160, 240, 320, 480, 640, 800, 960, 1_280, 1_600, 1_920];
    const answered: number[] = [];
    const many = sides.flatMap((w) =>
      sides.slice(0, 9).map(async (h) => {
        const { status } = await get(`${large}?w=${w}&h=${h}&format=avif`);
        answered.push(status);
      }),
    );
    await until(() => Promise.resolve(answered.length > 0));
    const before = answered.length;
    await get(`${small}?w=320`).expect(200);
    const meanwhile = answered.slice(before).filter((status) => status === 200).length;
    // Each process is already making one when it arrives, and at most one more is made before it.
    expect(meanwhile).toBeLessThanOrEqual(4);
    const uploaded = performance.now();
    await upload(app, other, await files.jpeg(400, 300));
    expect(performance.now() - uploaded).toBeLessThan(25_000);
    await Promise.all(many);
    expect(new Set(answered)).toEqual(new Set([200, 503]));
  }, 360_000);
});
