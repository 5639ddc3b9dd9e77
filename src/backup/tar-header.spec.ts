import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BLOCK_BYTES, decodeHeader, encodeHeader, paddingOf } from './tar-header.js';

const MODIFIED = new Date('2026-01-31T09:30:00Z');

describe('the header of a tar entry', () => {
  it.each([0, 1, 511, 512, 8 ** 11 - 1, 8 ** 11, 2 ** 45])('stores a size of %d bytes', (size) => {
    const header = encodeHeader({ name: 'media/3f/original', size }, MODIFIED);
    expect(header).toHaveLength(BLOCK_BYTES);
    expect(decodeHeader(header)).toEqual({ name: 'media/3f/original', size });
  });

  it('is refused if any of its bytes was altered', () => {
    const header = encodeHeader({ name: 'a', size: 5 }, MODIFIED);
    for (let at = 0; at < BLOCK_BYTES; at++) {
      const altered = Buffer.from(header);
      altered[at]! ^= 1;
      expect(() => decodeHeader(altered)).toThrow('not a valid file header');
    }
  });

  it('is undefined for a block of zeros', () => {
    expect(decodeHeader(Buffer.alloc(BLOCK_BYTES))).toBeUndefined();
  });

  it('cannot contain a name that does not fit', () => {
    expect(() => encodeHeader({ name: 'a'.repeat(101), size: 0 }, MODIFIED)).toThrow('too long');
  });

  it('can be read by tar', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'trivet-tar-'));
    const file = join(directory, 'a.tar');
    const content = Buffer.from('Soda bread');
    await writeFile(
      file,
      Buffer.concat([
        encodeHeader({ name: 'tables/entries/000001.copy.gz', size: content.length }, MODIFIED),
        content,
        Buffer.alloc(paddingOf(content.length) + 2 * BLOCK_BYTES),
      ]),
    );
    const run = promisify(execFile);
    const { stdout: list } = await run('tar', ['-tvf', file], { env: { PATH: process.env['PATH'], TZ: 'UTC' } });
    expect(list).toMatch(/^-rw------- .* 10 2026-01-31 09:30 tables\/entries\/000001\.copy\.gz\n$/);
    expect((await run('tar', ['-xOf', file])).stdout).toBe('Soda bread');
    await rm(directory, { recursive: true });
  });
});
