import { mkdir, open, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FileStream } from '../files/file-stream.js';
import { type ByteRange, MediaStorage, type StoredBytes } from './media-storage.js';

/** Stores files in a folder. Processes that share the files must share the disk. */
export class FolderStorage extends MediaStorage {
  constructor(private readonly folder: string) {
    super();
  }

  async put(key: string, path: string): Promise<void> {
    const target = this.pathOf(key);
    await sync(path);
    await mkdir(dirname(target), { recursive: true });
    await rename(path, target);
    await sync(dirname(target));
  }

  async read(key: string, range?: ByteRange): Promise<StoredBytes | undefined> {
    try {
      return await openFile(this.pathOf(key), range);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  localPath(key: string): string {
    return this.pathOf(key);
  }

  async remove(keys: readonly string[]): Promise<void> {
    for (const path of keys.map((key) => this.pathOf(key))) {
      await rm(path, { force: true });
      // Remove the folder together with its last file.
      await rmdir(dirname(path)).catch(() => undefined);
    }
  }

  private pathOf(key: string): string {
    return join(this.folder, key);
  }
}

async function openFile(path: string, range: ByteRange | undefined): Promise<StoredBytes> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const { start, end } = range ?? { start: 0, end: size - 1 };
    return { stream: new FileStream(file, start, end + 1), length: end + 1 - start };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Flushes to the disk. The bytes must be on the disk before their row is committed. */
async function sync(path: string): Promise<void> {
  const file = await open(path);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
