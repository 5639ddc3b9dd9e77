import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { formatId } from '../ids/type-id.js';
import { keyOf } from '../media/media-storage.js';
import { mediaName } from './archive-format.js';
import type { ArchiveWriter } from './archive-writer.js';
import { BackupError } from './backup-error.js';

interface MediaRow {
  tenantId: string;
  id: string;
}

const BATCH = 500;
/** There is another pass if the last one copied more than this, ... */
const FEW_BYTES = 16 * 1024 * 1024;
const FEW_FILES = 50;
/** ... and at most this share of the files of the pass before. Otherwise uploads arrive as fast as they are copied. */
const WORTHWHILE_SHARE = 0.7;
const LOCK_TIMEOUT_MS = 2_000;
const LOCK_TRIES = 30;
/** Maximum number of IDs in a message. */
const LISTED = 10;

const next = (condition: string) => `
  SELECT m.tenant_id AS "tenantId", m.id FROM media m WHERE (m.tenant_id, m.id) > ($1, $2::uuid) ${condition}
  ORDER BY m.tenant_id, m.id LIMIT ${BATCH}`;
const NEXT = next('');
const NEXT_NEW = next('AND NOT EXISTS (SELECT 1 FROM pg_temp.copied_media c WHERE c.id = m.id)');

/**
 * Copies uploaded files into a backup, so that every row of `media` in the snapshot has its file in the backup.
 *
 * A file never changes once its row is committed, and is deleted after its row. Files are therefore copied first, according to the current
 * rows, in passes that become shorter. Then `media` is locked against writes while the snapshot is taken and the few files that were added
 * in between are copied. The snapshot is not held while most of the files are copied, and deletions are not blocked during that time.
 */
export class MediaCopies {
  /** Public IDs of the first few files that do not exist. Complete only after `copyRest`. */
  readonly missing: string[] = [];
  missingCount = 0;

  private constructor(
    private readonly client: pg.Client,
    private readonly folder: string,
    private readonly archive: ArchiveWriter,
  ) {}

  /** The client records the copied files in a temporary table, because there may be millions of files. */
  static async begin(client: pg.Client, folder: string, archive: ArchiveWriter): Promise<MediaCopies> {
    await client.query('CREATE TEMPORARY TABLE copied_media (id uuid PRIMARY KEY)');
    return new MediaCopies(client, folder, archive);
  }

  /** Copies files until only few are left. The backup may also contain files whose rows are deleted in the meantime. */
  async copyMost(): Promise<void> {
    let text = NEXT;
    for (let before = Infinity; ;) {
      const { files, bytes } = await this.pass(text);
      if ((files <= FEW_FILES && bytes <= FEW_BYTES) || files > before * WORTHWHILE_SHARE) return;
      before = files;
      text = NEXT_NEW;
    }
  }

  /** Copies the remaining files of the snapshot of the client's transaction. `media` must be locked during that time. */
  async copyRest(): Promise<void> {
    await this.pass(NEXT_NEW, (row) => {
      this.missingCount++;
      if (this.missing.length < LISTED) this.missing.push(formatId('med', row.id));
    });
  }

  private async pass(text: string, onMissing?: (row: MediaRow) => void): Promise<{ files: number; bytes: number }> {
    const total = { files: 0, bytes: 0 };
    let after: MediaRow = { tenantId: '', id: '00000000-0000-0000-0000-000000000000' };
    for (;;) {
      const { rows } = await this.client.query<MediaRow>(text, [after.tenantId, after.id]);
      const copied: string[] = [];
      for (const row of rows) {
        const bytes = await this.copy(row);
        if (bytes === undefined) {
          onMissing?.(row);
          continue;
        }
        copied.push(row.id);
        total.files++;
        total.bytes += bytes;
      }
      await this.client.query('INSERT INTO pg_temp.copied_media SELECT unnest($1::uuid[])', [copied]);
      const last = rows.at(-1);
      if (!last || rows.length < BATCH) return total;
      after = last;
    }
  }

  /** Copies a file. Returns its size in bytes; undefined if it does not exist. */
  private async copy({ id }: MediaRow): Promise<number | undefined> {
    const file = await openIfThere(join(this.folder, keyOf(id)));
    if (!file) return undefined;
    try {
      const { size } = await file.stat();
      await this.archive.addFile(mediaName(keyOf(id)), file, size);
      return size;
    } finally {
      await file.close();
    }
  }
}

/** Blocks writes to `media` until the client's transaction ends. Does not block reads. */
export async function lockMedia(client: pg.Client): Promise<void> {
  for (let tries = 1; ; tries++) {
    await client.query('BEGIN');
    try {
      await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
      await client.query('LOCK TABLE media IN SHARE MODE');
      return;
    } catch (error) {
      await client.query('ROLLBACK');
      if ((error as { code?: string }).code !== '55P03') throw error;
      if (tries === LOCK_TRIES)
        throw new BackupError(
          'The table media could not be locked because it is changed continuously. Try again later.',
        );
    }
    // Let the statements continue that wait behind this lock.
    await sleep(LOCK_TIMEOUT_MS / 2);
  }
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
