import { mkdir, readdir, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseId } from '../../src/ids/type-id.js';
import { keyOf, MediaStorage } from '../../src/media/storage/media-storage.js';
import { MediaSweeper } from '../../src/media/media-sweeper.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { files } from '../support/files.js';
import { filesBelow } from '../support/files-below.js';
import { type S3Server, startS3 } from '../support/s3.js';
import { expectServerErrors } from '../support/server-errors.js';
import { multipart, pathOf, send, upload } from '../support/upload.js';

const MINUTE = 60_000;

describe.each(['folder', 'S3'])('media in %s storage', (kind) => {
  let s3: S3Server | undefined;
  let app: TestApp;
  let tenant: TestTenant;
  beforeAll(async () => {
    s3 = kind === 'S3' ? await startS3() : undefined;
    app = await startApp(s3?.env);
  });
  beforeEach(() => {
    tenant = app.tenant();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await app.close();
    await s3?.stop();
  });

  /** The names of all stored files, without the S3 server's own metadata. */
  const stored = async (): Promise<string[]> => {
    const folder = s3?.folder ?? join(app.config.dataDir, 'media');
    return (await filesBelow(folder)).filter((path) => !/_metadata\.json$|\.md5$/.test(path));
  };
  const incoming = () => readdir(join(app.config.dataDir, 'media-incoming')).catch(() => []);
  const storage = () => app.app.get(MediaStorage);
  const sweep = (later: number) => app.get(MediaSweeper).sweep(new Date(Date.now() + later));
  const orphans = () => app.database.query('SELECT 1 FROM orphaned_files WHERE tenant_id = $1', [tenant.id]);
  const rows = () => app.database.query('SELECT 1 FROM media WHERE tenant_id = $1', [tenant.id]);

  it('is stored, served completely and in ranges, and deleted with its variants', async () => {
    const before = (await stored()).length;
    const png = await files.png(200, 100);
    const media = await upload(app, tenant, png, '../../ünicode ?&#%.png', 'x');
    const path = pathOf(media.url);
    expect((await app.client().get(path).expect(200)).body).toEqual(png);
    const part = await app.client(undefined, { Range: 'bytes=10-19' }).get(path).expect(206);
    expect(part.body).toEqual(png.subarray(10, 20));
    for (let times = 0; times < 2; times++) {
      const variant = await app.client().get(`${path}?w=100&format=webp`).expect(200);
      expect(variant.headers['content-type']).toBe('image/webp');
    }
    expect(await stored()).toHaveLength(before + 2);
    expect((await stored()).join()).not.toMatch(/ünicode|\.\./);
    await tenant.http.delete(`/v1/media/${tenant.id}/${media.id}`).expect(200);
    expect(await stored()).toHaveLength(before);
    expect(await incoming()).toEqual([]);
  });

  it('is not served after its row is deleted', async () => {
    const media = await upload(app, tenant, await files.png());
    await app.database.query('DELETE FROM media WHERE tenant_id = $1', [tenant.id]);
    await app.client().get(pathOf(media.url)).expect(404);
  });

  it('answers 404 when its file was removed from the storage', async () => {
    const media = await upload(app, tenant, await files.png());
    await storage().remove([keyOf(parseId('med', media.id) ?? '')]);
    await app.client().get(pathOf(media.url)).expect(404);
    await app
      .client()
      .get(`${pathOf(media.url)}?w=10`)
      .expect(404);
  });

  describe('after a crash', () => {
    it('between writing the bytes and the row shows nothing, and leaves nothing after the sweep', async () => {
      expectServerErrors(500);
      const before = (await stored()).length;
      const put = storage().put.bind(storage());
      // The bytes are stored, and then the process crashes.
      jest.spyOn(storage(), 'put').mockImplementation(async (...args) => {
        await put(...args);
        throw new Error('crashed');
      });
      jest.spyOn(storage(), 'remove').mockRejectedValueOnce(new Error('crashed'));
      const answer = await send(app, tenant, multipart([{ name: 'file', filename: 'a', data: await files.png() }]));
      expect(answer.status).toBe(500);
      expect(await stored()).toHaveLength(before + 1);
      expect([await rows(), await orphans()]).toEqual([[], [expect.anything()]]);

      await sweep(10 * MINUTE);
      expect(await stored()).toHaveLength(before + 1);
      await sweep(60 * MINUTE);
      expect(await stored()).toHaveLength(before);
      expect(await orphans()).toEqual([]);
    });

    it('between deleting the row and the bytes leaves nothing after the sweep', async () => {
      const before = (await stored()).length;
      const media = await upload(app, tenant, await files.png());
      await app
        .client()
        .get(`${pathOf(media.url)}?w=10`)
        .expect(200);
      jest.spyOn(storage(), 'remove').mockRejectedValueOnce(new Error('crashed'));
      await tenant.http.delete(`/v1/media/${tenant.id}/${media.id}`).expect(200);
      expect(await stored()).toHaveLength(before + 2);
      await app.client().get(pathOf(media.url)).expect(404);
      await sweep(60 * MINUTE);
      expect(await stored()).toHaveLength(before);
      expect(await orphans()).toEqual([]);
    });

    it('leaves no partly received files', async () => {
      const folder = join(app.config.dataDir, 'media-incoming');
      await mkdir(folder, { recursive: true });
      const [old, fresh] = [join(folder, 'old'), join(folder, 'fresh')];
      for (const path of [old, fresh]) await writeFile(path, 'half');
      await utimes(old, new Date(), new Date(Date.now() - 60 * MINUTE));
      await sweep(0);
      await expect(stat(old)).rejects.toThrow('ENOENT');
      await stat(fresh);
      await sweep(60 * MINUTE);
      expect(await incoming()).toEqual([]);
    });

    it('is never swept once its row exists', async () => {
      const media = await upload(app, tenant, await files.png());
      await sweep(60 * MINUTE);
      await app.client().get(pathOf(media.url)).expect(200);
    });
  });

  it('is not created when the sweep removed its bytes before its row was written', async () => {
    expectServerErrors(503);
    const before = (await stored()).length;
    const put = storage().put.bind(storage());
    jest.spyOn(storage(), 'put').mockImplementation(async (...args) => {
      await put(...args);
      await sweep(60 * MINUTE);
    });
    const answer = await send(app, tenant, multipart([{ name: 'file', filename: 'a', data: await files.png() }]));
    expect([answer.status, answer.body.code]).toEqual([503, 'unavailable']);
    expect(await stored()).toHaveLength(before);
    expect([await rows(), await orphans()]).toEqual([[], []]);
  });

  it('removes the bytes of a failed write at once', async () => {
    expectServerErrors(500);
    const before = (await stored()).length;
    jest.spyOn(storage(), 'put').mockRejectedValue(new Error('disk full'));
    const answer = await send(app, tenant, multipart([{ name: 'file', filename: 'a', data: await files.png() }]));
    expect([answer.status, answer.body.code]).toEqual([500, 'internal_error']);
    expect(JSON.stringify(answer.body)).not.toContain('disk full');
    expect([await rows(), await orphans(), (await stored()).length, await incoming()]).toEqual([[], [], before, []]);
  });
});

describe('media in an unreachable bucket', () => {
  it('answers 503, and leaves nothing', async () => {
    expectServerErrors(503);
    const app = await startApp({
      S3_ENDPOINT: 'http://127.0.0.1:9',
      S3_BUCKET: 'trivet',
      S3_ACCESS_KEY_ID: 'x',
      S3_SECRET_ACCESS_KEY: 'y',
    });
    try {
      const tenant = app.tenant();
      const answer = await send(app, tenant, multipart([{ name: 'file', filename: 'a', data: await files.png() }]));
      expect([answer.status, answer.body.code]).toEqual([503, 'unavailable']);
      expect(await app.database.query('SELECT 1 FROM media')).toEqual([]);
    } finally {
      await app.close();
    }
  });

  it('answers 503 too when the bucket rejects the key', async () => {
    expectServerErrors(503);
    const s3 = await startS3();
    const app = await startApp({ ...s3.env, S3_ACCESS_KEY_ID: 'unknown' });
    try {
      const answer = await send(
        app,
        app.tenant(),
        multipart([{ name: 'file', filename: 'a', data: await files.png() }]),
      );
      expect([answer.status, answer.body.code]).toEqual([503, 'unavailable']);
    } finally {
      await app.close();
      await s3.stop();
    }
  });
});
