import { mkdtemp, open, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ArchiveReader } from './archive-reader.js';
import { ArchiveWriter } from './archive-writer.js';

describe('a backup file', () => {
  let directory: string;
  let path: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'trivet-archive-'));
    path = join(directory, 'a.tar');
  });
  afterEach(() => rm(directory, { recursive: true }));

  const write = async (): Promise<void> => {
    const archive = await ArchiveWriter.create(path);
    await archive.add('empty', Buffer.alloc(0));
    await archive.add('greeting', Buffer.from('Hello'));
    const source = join(directory, 'source');
    await writeFile(source, Buffer.alloc(3_000_000, 'x'));
    const file = await open(source);
    await archive.addFile('media/x', file, 3_000_000);
    await file.close();
    await archive.finish();
    await rm(source);
  };

  const verify = async (): Promise<void> => {
    const archive = await ArchiveReader.open(path);
    await archive.verify().finally(() => archive.close());
  };

  it('returns what was added, and is readable by its owner only', async () => {
    await write();
    const archive = await ArchiveReader.open(path);
    await archive.verify();
    const found: Record<string, number> = {};
    for await (const entry of archive.entries()) {
      let bytes = 0;
      for await (const chunk of archive.content(entry)) bytes += (chunk as Buffer).length;
      found[entry.name] = bytes;
      if (entry.name === 'greeting') expect(await archive.text(entry)).toBe('Hello');
    }
    expect(found).toEqual({ 'trivet-backup': 16, empty: 0, greeting: 5, 'media/x': 3_000_000, sha256: 65 });
    await archive.close();
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(directory)).toEqual(['a.tar']);
  });

  it('exists only when it is complete', async () => {
    const archive = await ArchiveWriter.create(path);
    await archive.add('greeting', Buffer.from('Hello'));
    expect(await readdir(directory)).toEqual([expect.stringMatching(/^a\.tar\.partial-/)]);
    await archive.discard();
    expect(await readdir(directory)).toEqual([]);
  });

  it('never replaces another file', async () => {
    await writeFile(path, 'mine');
    await expect(ArchiveWriter.create(path)).rejects.toThrow('already exists');
    await rm(path);
    const archive = await ArchiveWriter.create(path);
    await writeFile(path, 'mine');
    await expect(archive.finish()).rejects.toThrow('already exists');
    await archive.discard();
    expect(await readFile(path, 'utf8')).toBe('mine');
    expect(await readdir(directory)).toEqual(['a.tar']);
  });

  it('is refused if a byte was altered, if it is cut off anywhere, and if bytes follow', async () => {
    const archive = await ArchiveWriter.create(path);
    await archive.add('greeting', Buffer.from('Hello'));
    await archive.finish();
    const whole = await readFile(path);
    await verify();
    const refused = async (bytes: Buffer): Promise<void> => {
      await writeFile(path, bytes);
      await expect(verify()).rejects.toThrow(/is damaged or incomplete|is not a Trivet backup|cannot read/);
    };
    for (let at = 0; at < whole.length; at += 7) {
      const altered = Buffer.from(whole);
      altered[at]! ^= 0x04;
      await refused(altered);
    }
    for (let length = 0; length < whole.length; length += 100) await refused(whole.subarray(0, length));
    await refused(Buffer.concat([whole, Buffer.alloc(512)]));
    await refused(Buffer.concat([whole, Buffer.from('x')]));
  }, 240_000);

  it('is refused if it has another format', async () => {
    await write();
    const bytes = await readFile(path);
    bytes[512 + 'trivet-backup '.length] = 0x32;
    await writeFile(path, bytes);
    await expect(ArchiveReader.open(path)).rejects.toThrow('has the format "trivet-backup 2"');
  });

  it('is not written further after an abort', async () => {
    const abort = new AbortController();
    const archive = await ArchiveWriter.create(path, abort.signal);
    abort.abort();
    await expect(archive.add('greeting', Buffer.from('Hello'))).rejects.toThrow('aborted');
    await archive.discard();
    expect(await readdir(directory)).toEqual([]);
  });
});
