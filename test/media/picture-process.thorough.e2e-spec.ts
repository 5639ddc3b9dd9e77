import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { files } from '../support/files.js';
import { until } from '../support/until.js';
import type { PictureLimits } from '../../src/media/pictures/picture-limits.js';
import { PictureFault, PictureProcess } from '../../src/media/pictures/picture-process.js';

const LIMITS: PictureLimits = { wallMs: 20_000, cpuMs: 20_000, memoryBytes: 2 ** 31 };
const VARIANT = { name: 'w16.png', width: 16, fit: 'inside', format: 'png' } as const;
const LARGE = { name: 'full.webp', fit: 'inside', format: 'webp' } as const;

// Each test starts its own process.
jest.setTimeout(240_000);

describe('the image process', () => {
  let folder: string;
  let small: string;
  let large: string;
  let target: string;
  const processes: PictureProcess[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'trivet-picture-'));
    [small, large, target] = [join(folder, 'small'), join(folder, 'large'), join(folder, 'target')];
    await writeFile(small, await files.png());
    await writeFile(large, await files.jpeg(9_000, 9_000));
  });
  afterEach(() => processes.splice(0).forEach((one) => one.stop()));
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const start = (idleMs?: number) => {
    const pictures = new PictureProcess(idleMs);
    processes.push(pictures);
    return pictures;
  };
  const draw = (pictures: PictureProcess, options: Partial<Parameters<PictureProcess['draw']>[0]> = {}, limits = {}) =>
    pictures.draw({ source: small, target, variant: VARIANT, maxBytes: 1e9, ...options }, { ...LIMITS, ...limits });
  const isAlive = (pid: number) => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };

  it('draws and measures one image after another', async () => {
    const pictures = start();
    expect(await pictures.dimensions(small, LIMITS)).toEqual({ width: 40, height: 30 });
    const { pid } = pictures;
    const bytes = await draw(pictures);
    const drawn = await readFile(target);
    expect(drawn.length).toBe(bytes);
    expect(await sharp(drawn).metadata()).toMatchObject({ format: 'png', width: 16, height: 12 });
    expect(pictures.pid).toBe(pid);
  });

  it('refuses images that have no pixels', async () => {
    const source = join(folder, 'svg');
    await writeFile(source, files.svg());
    const pictures = start();
    await expect(pictures.dimensions(source, LIMITS)).rejects.toThrow(PictureFault);
    await expect(draw(pictures, { source })).rejects.toThrow(PictureFault);
  });

  it.each([
    ['time', { cpuMs: 1 }],
    ['memory', { memoryBytes: 1_000 }],
  ])('ends if an image takes more %s than allowed, and the next image gets a new process', async (what, limits) => {
    const pictures = start();
    await pictures.dimensions(small, LIMITS);
    const { pid = 0 } = pictures;
    const drawn = draw(pictures, { source: large, variant: LARGE }, limits);
    await expect(drawn).rejects.toThrow(new PictureFault(`Processing the image takes too much ${what}.`));
    await until(() => Promise.resolve(!isAlive(pid)));
    expect(await draw(pictures)).toBeGreaterThan(0);
    expect(pictures.pid).not.toBe(pid);
  });

  it('is killed if it does not respond in time, without blaming the image', async () => {
    const pictures = start();
    await pictures.dimensions(small, LIMITS);
    const { pid = 0 } = pictures;
    process.kill(pid, 'SIGSTOP');
    const drawn = draw(pictures, {}, { wallMs: 200 });
    await expect(drawn).rejects.toMatchObject({ code: 'unavailable', headers: { 'Retry-After': '5' } });
    await until(() => Promise.resolve(!isAlive(pid)));
    expect(await draw(pictures)).toBeGreaterThan(0);
  });

  it('is replaced if it is killed while it works on an image, and the image is drawn nevertheless', async () => {
    const pictures = start();
    await pictures.dimensions(small, LIMITS);
    const { pid = 0 } = pictures;
    const drawn = draw(pictures, { source: large, variant: LARGE });
    setTimeout(() => process.kill(pid, 'SIGKILL'), 50);
    expect(await drawn).toBeGreaterThan(0);
    expect(pictures.pid).not.toBe(pid);
  });

  it('reports the image as the cause of its crash', async () => {
    const pictures = start();
    await pictures.dimensions(small, LIMITS);
    const drawn = draw(pictures, { source: large, variant: LARGE });
    process.kill(pictures.pid ?? 0, 'SIGSEGV');
    await expect(drawn).rejects.toThrow(PictureFault);
  });

  it('distinguishes failures of the image and its size from those of the disk', async () => {
    const source = join(folder, 'damaged');
    await writeFile(source, (await files.avif(300, 300)).subarray(0, 300));
    const pictures = start();
    await expect(draw(pictures, { source })).rejects.toThrow(PictureFault);
    await expect(draw(pictures, { maxBytes: 10 })).rejects.toThrow(PictureFault);
    await expect(draw(pictures, { source: join(folder, 'gone') })).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(draw(pictures, { target: join(folder, 'no', 'folder') })).rejects.toMatchObject({ code: 'ENOENT' });
    if (process.platform !== 'linux') return;
    await expect(draw(pictures, { target: '/dev/full' })).rejects.toMatchObject({ code: 'ENOSPC' });
  });

  it('ends when it is idle', async () => {
    const pictures = start(100);
    await pictures.dimensions(small, LIMITS);
    const { pid = 0 } = pictures;
    await until(() => Promise.resolve(!isAlive(pid)));
    expect(pictures.pid).toBeUndefined();
    expect(await pictures.dimensions(small, LIMITS)).toEqual({ width: 40, height: 30 });
  });

  it('does not start again after it was stopped', async () => {
    const pictures = start();
    const drawn = draw(pictures, { source: large, variant: LARGE });
    pictures.stop();
    await expect(drawn).rejects.toMatchObject({ code: 'unavailable' });
    await expect(draw(pictures)).rejects.toMatchObject({ code: 'unavailable' });
    expect(pictures.pid).toBeUndefined();
  });
});
