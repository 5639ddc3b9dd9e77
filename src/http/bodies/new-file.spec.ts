import fs from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeNewFile } from './new-file.js';

describe('a new file', () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'trivet-new-file-'));
    path = join(folder, 'file');
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await rm(folder, { recursive: true });
  });

  it('has what is written to it', async () => {
    await writeNewFile(path, (target) => pipeline(Readable.from(['a', 'b']), target));
    expect(await readFile(path, 'utf8')).toBe('ab');
  });

  it('replaces none', async () => {
    await writeNewFile(path, (target) => pipeline(Readable.from(['a']), target));
    const second = writeNewFile(path, (target) => pipeline(Readable.from(['b']), target));
    await expect(second).rejects.toThrow('EEXIST');
    expect(await readFile(path, 'utf8')).toBe('a');
  });

  it('does not appear after its removal, however late the system opens it', async () => {
    const open = fs.open.bind(fs) as (...args: unknown[]) => void;
    let opened: Promise<void> | undefined;
    jest.spyOn(fs, 'open').mockImplementation((...args: unknown[]) => {
      opened = sleep(100).then(() => open(...args));
    });
    const source = new PassThrough();
    const written = writeNewFile(path, (target) => pipeline(source, target));
    source.write('a');
    source.destroy(new Error('cut off'));
    await expect(written).rejects.toThrow('cut off');
    await rm(path, { force: true });
    expect(opened).toBeDefined();
    await opened;
    // An opening that is in progress now has ended when a later one has.
    jest.restoreAllMocks();
    await readFile(import.meta.filename);
    expect(await readdir(folder)).toEqual([]);
  });
});
