import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type pg from 'pg';
import { mediaOf } from './archive-format.js';
import type { ArchiveEntry, ArchiveReader } from './archive-reader.js';
import { BackupError } from './backup-error.js';
import { fileSources } from './file-sources.js';

const BATCH = 500;
/** Puts uploaded files where the service looks for them: first into a temporary folder inside that folder, then all at once. */
export class MediaPlacement {
  private readonly aside: string;

  constructor(private readonly folder: string) {
    this.aside = join(folder, 'restore.partial');
  }

  /** Throws a BackupError if the folder is not empty. Before that, removes the temporary folder of an interrupted restore. */
  async assertEmpty(): Promise<void> {
    await this.discard();
    const names = await readdir(this.folder).catch(() => []);
    if (names.length > 0) throw new BackupError(`${this.folder} is not empty. Restore into an empty folder.`);
  }

  /** Extracts the files that have a row in the client's transaction. Returns their number. */
  async extract(client: pg.ClientBase, archive: ArchiveReader): Promise<number> {
    let files = 0;
    const sources = await fileSources(client);
    let batch: { id: string; key: string; entry: ArchiveEntry }[] = [];
    const flush = async (): Promise<void> => {
      const present = new Set<string>();
      for (const { table, keyOf } of sources) {
        const select = `SELECT id FROM ${table} WHERE id = ANY ($1::uuid[])`;
        const { rows } = await client.query<{ id: string }>(select, [batch.map(({ id }) => id)]);
        for (const { id } of rows) present.add(keyOf(id));
      }
      for (const { key, entry } of batch.filter((one) => present.has(one.key))) {
        await writeFile(join(this.aside, key), archive.content(entry));
        files++;
      }
      batch = [];
    };
    for await (const entry of archive.entries()) {
      const file = mediaOf(entry.name);
      if (file) batch.push({ ...file, entry });
      if (batch.length === BATCH) await flush();
    }
    await flush();
    return files;
  }

  /** Moves all extracted files into place. */
  async place(): Promise<void> {
    const shards = await readdir(this.aside).catch(() => []);
    for (const shard of shards) await rename(join(this.aside, shard), join(this.folder, shard));
    if (shards.length > 0) await syncDirectory(this.folder);
    await this.discard();
  }

  /** Removes extracted files that are not in place yet. */
  async discard(): Promise<void> {
    await rm(this.aside, { recursive: true, force: true });
  }
}

async function writeFile(path: string, content: AsyncIterable<Buffer>): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const chunk of content) await file.writeFile(chunk);
    await file.sync();
  } finally {
    await file.close();
  }
  await syncDirectory(dirname(path));
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path);
  await directory.sync().finally(() => directory.close());
}
