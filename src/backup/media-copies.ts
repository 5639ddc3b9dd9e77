import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { formatId } from '../ids/type-id.js';
import { mediaName } from './archive-format.js';
import type { ArchiveWriter } from './archive-writer.js';
import { BackupError } from './backup-error.js';
import { type FileSource, fileSources } from './file-sources.js';

interface FileRow {
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

const NEW = 'AND NOT EXISTS (SELECT 1 FROM pg_temp.copied_media c WHERE c.id = m.id)';
const next = ({ table }: FileSource, onlyNew: boolean) => `
  SELECT m.tenant_id AS "tenantId", m.id FROM ${table} m WHERE (m.tenant_id, m.id) > ($1, $2::uuid) ${onlyNew ? NEW : ''}
  ORDER BY m.tenant_id, m.id LIMIT ${BATCH}`;

/**
 * Copies uploaded files into a backup, so that every row of `media` and `submission_files` in the snapshot has its file in the backup.
 *
 * A file never changes once its row is committed, and is deleted after its row. Files are therefore copied first, according to the current
 * rows, in passes that become shorter. Then the tables are locked against writes while the snapshot is taken and the few files that were added
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
    readonly sources: readonly FileSource[],
  ) {}

  /** The client records the copied files in a temporary table, because there may be millions of files. */
  static async begin(client: pg.Client, folder: string, archive: ArchiveWriter): Promise<MediaCopies> {
    await client.query('CREATE TEMPORARY TABLE copied_media (id uuid PRIMARY KEY)');
    return new MediaCopies(client, folder, archive, await fileSources(client));
  }

  /** Copies files until only few are left. The backup may also contain files whose rows are deleted in the meantime. */
  async copyMost(): Promise<void> {
    for (let before = Infinity, onlyNew = false; ; onlyNew = true) {
      const { files, bytes } = await this.pass(onlyNew);
      if ((files <= FEW_FILES && bytes <= FEW_BYTES) || files > before * WORTHWHILE_SHARE) return;
      before = files;
    }
  }

  /** Copies the remaining files of the snapshot of the client's transaction. The tables must be locked during that time. */
  async copyRest(): Promise<void> {
    await this.pass(true, ({ prefix }, { id }) => {
      this.missingCount++;
      if (this.missing.length < LISTED) this.missing.push(formatId(prefix, id));
    });
  }

  private async pass(
    onlyNew: boolean,
    onMissing?: (source: FileSource, row: FileRow) => void,
  ): Promise<{ files: number; bytes: number }> {
    const total = { files: 0, bytes: 0 };
    for (const source of this.sources) {
      let after: FileRow | undefined = { tenantId: '', id: '00000000-0000-0000-0000-000000000000' };
      while (after) {
        const values: string[] = [after.tenantId, after.id];
        const { rows }: { rows: FileRow[] } = await this.client.query<FileRow>(next(source, onlyNew), values);
        await this.copyAll(source, rows, total, onMissing);
        after = rows.length < BATCH ? undefined : rows.at(-1);
      }
    }
    return total;
  }

  private async copyAll(
    source: FileSource,
    rows: readonly FileRow[],
    total: { files: number; bytes: number },
    onMissing?: (source: FileSource, row: FileRow) => void,
  ): Promise<void> {
    const copied: string[] = [];
    for (const row of rows) {
      const bytes = await this.copy(source.keyOf(row.id));
      if (bytes === undefined) {
        onMissing?.(source, row);
        continue;
      }
      copied.push(row.id);
      total.files++;
      total.bytes += bytes;
    }
    await this.client.query('INSERT INTO pg_temp.copied_media SELECT unnest($1::uuid[])', [copied]);
  }

  /** Copies a file. Returns its size in bytes; undefined if it does not exist. */
  private async copy(key: string): Promise<number | undefined> {
    const file = await openIfThere(join(this.folder, key));
    if (!file) return undefined;
    try {
      const { size } = await file.stat();
      await this.archive.addFile(mediaName(key), file, size);
      return size;
    } finally {
      await file.close();
    }
  }
}

/** Blocks writes to the tables with files until the client's transaction ends. Does not block reads. */
export async function lockMedia(client: pg.Client): Promise<void> {
  const tables = (await fileSources(client)).map(({ table }) => table);
  for (let tries = 1; ; tries++) {
    await client.query('BEGIN');
    try {
      await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
      await client.query(`LOCK TABLE ${tables.join(', ')} IN SHARE MODE`);
      return;
    } catch (error) {
      await client.query('ROLLBACK');
      if ((error as { code?: string }).code !== '55P03') throw error;
      if (tries === LOCK_TRIES)
        throw new BackupError(
          'The tables with files could not be locked because they are changed continuously. Try again later.',
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
