import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, rm, statfs, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { StorageHealth } from '../../src/observability/storage-health.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { files } from '../support/files.js';
import { expectServerErrors } from '../support/server-errors.js';
import { multipart, pathOf, send, upload } from '../support/upload.js';
import { until } from '../support/until.js';

/** Mounts a separate small disk, and returns its path; undefined if this user may not mount one. */
function mountSmallDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'trivet-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', folder], { stdio: 'ignore' });
    return folder;
  } catch {
    rmSync(folder, { recursive: true });
    console.warn('The tests of a full disk are skipped: this user can not mount a tmpfs.');
    return undefined;
  }
}

const disk = mountSmallDisk();

(disk === undefined ? describe.skip : describe)('on a full disk', () => {
  const folder = disk ?? '';
  let app: TestApp;
  let tenant: TestTenant;
  beforeAll(async () => {
    app = await startApp({ DATA_DIR: folder, VARIANTS_MAX_BYTES: '4000000' });
  });
  beforeEach(() => {
    tenant = app.tenant();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await rm(join(folder, 'ballast'), { force: true });
  });
  afterAll(async () => {
    await app.close();
    execFileSync('umount', [folder]);
    rmSync(folder, { recursive: true });
  });

  /** Fills the disk until only this many bytes are free. */
  const fill = async (free: number) => {
    await rm(join(folder, 'ballast'), { force: true });
    const { bavail, bsize } = await statfs(folder);
    await writeFile(join(folder, 'ballast'), Buffer.alloc(bavail * bsize - free, 1));
  };
  const incoming = () => readdir(join(folder, 'media-incoming')).catch(() => []);
  const logged = () => {
    const error = jest.spyOn(Logger.prototype, 'error');
    return () => error.mock.calls.map(([entry]) => (entry as { err?: { code?: string } }).err?.code);
  };
  const text = (bytes: number) => multipart([{ name: 'file', filename: 'a.txt', data: Buffer.alloc(bytes, 'text ') }]);
  const rows = async () =>
    Promise.all(
      ['media', 'orphaned_files', 'media_variants'].map(async (table) => {
        const found = await app.database.query(`SELECT 1 FROM ${table} WHERE tenant_id = $1`, [tenant.id]);
        return found.length;
      }),
    );

  it('an upload answers 507, is logged with its cause, leaves nothing, and succeeds once there is space', async () => {
    expectServerErrors(507);
    const codes = logged();
    await fill(1_000_000);
    for (const body of [text(3_000_000), text(1_100_000)]) {
      const answer = await send(app, tenant, body);
      expect([answer.status, answer.body.code]).toEqual([507, 'insufficient_storage']);
      expect(JSON.stringify(answer.body)).not.toMatch(/ENOSPC|tmp/);
    }
    await until(() => Promise.resolve(codes().length === 2));
    expect(codes()).toEqual(['ENOSPC', 'ENOSPC']);
    expect([await incoming(), await rows()]).toEqual([[], [0, 0, 0]]);
    expect((await send(app, tenant, text(500_000))).status).toBe(201);
    await fill(6_000_000);
    expect((await send(app, tenant, text(3_000_000))).status).toBe(201);
  });

  it('an upload whose first write fails answers 507 too', async () => {
    expectServerErrors(507);
    await fill(0);
    const answer = await send(app, tenant, multipart([{ name: 'file', filename: 'a.png', data: await files.png() }]));
    expect([answer.status, answer.body.code]).toEqual([507, 'insufficient_storage']);
    expect([await incoming(), await rows()]).toEqual([[], [0, 0, 0]]);
  });

  it('a malformed upload still gets a client error', async () => {
    await fill(1_000_000);
    const body = text(100_000);
    const answer = await send(app, tenant, body.subarray(0, body.length - 10));
    expect([answer.status, answer.body.code]).toEqual([400, 'malformed_multipart']);
  });

  it('a variant answers 507, and the next request makes it once there is space', async () => {
    expectServerErrors(507);
    const codes = logged();
    const media = await upload(app, tenant, await files.jpeg(900, 900));
    const path = `${pathOf(media.url)}?w=640&format=png`;
    await fill(0);
    const { body } = await app.client().get(path).expect(507);
    expect(body.code).toBe('insufficient_storage');
    await until(() => Promise.resolve(codes().length === 1));
    expect(codes()).toEqual(['ENOSPC']);
    expect([await incoming(), await rows()]).toEqual([[], [1, 0, 0]]);
    // Stored files are served all the time.
    await app.client().get(pathOf(media.url)).expect(200);
    await fill(1_000_000);
    await app.client().get(path).expect(200);
  });

  it('the failed write is recorded until a write succeeds', async () => {
    expectServerErrors(507);
    const health = app.get(StorageHealth);
    await fill(100_000);
    await health.probe();
    expect(health.lastFailure).toBeUndefined();
    expect((await send(app, tenant, text(500_000))).status).toBe(507);
    expect(health.lastFailure).toMatchObject({ code: 'ENOSPC' });
    await fill(0);
    await expect(health.probe()).rejects.toMatchObject({ code: 'ENOSPC' });
    await rm(join(folder, 'ballast'));
    await health.probe();
    expect([health.lastFailure, await incoming()]).toEqual([undefined, []]);
  });
});

(disk === undefined ? describe.skip : describe)('a read-only disk', () => {
  it('answers uploads and variants with 503, not with client errors', async () => {
    expectServerErrors(503);
    const folder = mountSmallDisk() ?? '';
    const app = await startApp({ DATA_DIR: folder });
    try {
      const tenant = app.tenant();
      const media = await upload(app, tenant, await files.png());
      execFileSync('mount', ['-o', 'remount,ro', folder]);
      const answer = await send(app, tenant, multipart([{ name: 'file', filename: 'a', data: await files.png() }]));
      expect([answer.status, answer.body.code]).toEqual([503, 'unavailable']);
      expect(app.get(StorageHealth).lastFailure).toMatchObject({ code: 'EROFS' });
      await app
        .client()
        .get(`${pathOf(media.url)}?w=16`)
        .expect(503);
      await app.client().get(pathOf(media.url)).expect(200);
      execFileSync('mount', ['-o', 'remount,rw', folder]);
      await app
        .client()
        .get(`${pathOf(media.url)}?w=16`)
        .expect(200);
    } finally {
      await app.close();
      execFileSync('umount', [folder]);
      rmSync(folder, { recursive: true });
    }
  });
});

describe('a bucket without space', () => {
  let server: Server;
  let app: TestApp;
  let status = 507;
  beforeAll(async () => {
    server = createServer((request, response) => {
      request.resume().on('end', () => {
        response.writeHead(status, { 'Content-Type': 'application/xml' });
        const code = status === 507 ? 'XMinioStorageFull' : 'SlowDown';
        response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>No.</Message></Error>`);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    app = await startApp({
      S3_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      S3_BUCKET: 'trivet',
      S3_ACCESS_KEY_ID: 'x',
      S3_SECRET_ACCESS_KEY: 'y',
    });
  });
  afterAll(async () => {
    await app.close();
    server.close();
  });

  it.each([
    [507, 507, 'insufficient_storage'],
    [503, 503, 'unavailable'],
    [403, 503, 'unavailable'],
  ])('that answers %s makes an upload answer %s', async (answered, expected, code) => {
    expectServerErrors(507, 503);
    status = answered;
    const body = multipart([{ name: 'file', filename: 'a', data: await files.png() }]);
    const answer = await send(app, app.tenant(), body);
    expect([answer.status, answer.body.code]).toEqual([expected, code]);
  });
});
