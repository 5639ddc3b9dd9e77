import { Injectable } from '@nestjs/common';
import { publicKey } from '../../admission/public-key.js';
import { COUNT_SHARD } from '../../database/statements/count-shard.js';
import { Database } from '../../database/database.js';
import { insert, part } from '../../database/statements/write.js';
import { outsideUnitOfWork } from '../../database/unit-of-work.js';
import {
  type ScheduledJobHandler,
  type ScheduledJob,
  ScheduledJobs,
  HandlesScheduledJobs,
} from '../../scheduled-jobs/scheduled-jobs.js';
import { putJob } from '../../scheduled-jobs/scheduled-jobs.sql.js';
import { Problem } from '../../errors/problem.js';
import { ANNOUNCE, CLAIM_ORPHAN, FORGET_ORPHAN } from '../media.sql.js';
import { type ByteRange, keyOf, MediaStorage, PRIVATE, type StoredBytes } from '../storage/media-storage.js';
import { problemOfDisk } from '../storage/storage-problem.js';

const REMOVAL = 'file_removal';

/** A file to store. */
interface NewFile {
  id: string;
  /** The complete local file, which may be moved. */
  path: string;
  mimeType: string;
}

/** The part `arrived` of a write: of the files `:fileIds`, those that were stored. Each must get its row in the same write. */
export const ARRIVED_FILES = part(
  'arrived',
  'DELETE FROM orphaned_files WHERE tenant_id = :tenantId AND id = ANY (:fileIds::uuid[]) AND NOT leaving RETURNING id',
  { returns: { id: 'uuid' }, isMany: true },
);

/** The part `put_due` of a write, which has the bytes of each file of the part `source` removed after the commit. `source` has their `id`. */
export function removeFiles<const Source extends string>(source: Source) {
  return putJob(source, { kind: REMOVAL, key: `${source}.id`, at: 'now()' } as const);
}

/**
 * The parts of a write that add the files of the part `source` to the tenant's counters, or subtract them. `source` has their `size`.
 */
export function countFiles<const Source extends string, const By extends 1 | -1>(source: Source, by: By) {
  return [
    part('files', `SELECT count(*) AS number, sum(${source}.size) AS bytes FROM ${source} HAVING count(*) > 0`, {
      of: source,
      returns: { number: 'bigint', bytes: 'bigint' },
    }),
    insert(
      'counted_files',
      `INSERT INTO private_file_counts AS n (tenant_id, shard, files, bytes)
      SELECT :tenantId, ${COUNT_SHARD}, ${by} * files.number, ${by} * files.bytes
      FROM files
      ON CONFLICT (tenant_id, shard) DO UPDATE SET files = n.files + excluded.files, bytes = n.bytes + excluded.bytes`,
    ),
  ] as const;
}

/**
 * The bytes of files that have no URL. A module that has such files stores their rows in its own table. Rows and bytes are kept consistent
 * as for media: bytes are announced before they are written, and removed after their rows.
 */
@Injectable()
@HandlesScheduledJobs([REMOVAL])
export class PrivateFiles implements ScheduledJobHandler {
  constructor(
    private readonly database: Database,
    private readonly scheduledJobs: ScheduledJobs,
    private readonly storage: MediaStorage,
  ) {}

  /**
   * Stores files that strangers sent to the tenant, all or none. Their rows must then be committed with `ARRIVED_FILES`. Otherwise call
   * `discard`; after a crash, the sweeper removes the bytes. Throws a 507 or 503 if the storage fails.
   */
  async store(tenantId: string, files: readonly NewFile[]): Promise<void> {
    const ids = files.map(({ id }) => id);
    // The sweeper must find the bytes also if the request is never committed.
    await outsideUnitOfWork(() =>
      this.database.query(tenantId, ANNOUNCE, { ids, since: new Date() }, publicKey(tenantId)),
    );
    try {
      for (const { id, path, mimeType } of files) await this.storage.put(keyOf(id, PRIVATE), path, mimeType);
    } catch (error) {
      await this.discard(tenantId, ids).catch(() => undefined);
      throw problemOfDisk(error) ?? error;
    }
  }

  /** Removes the bytes of files that were stored, except of those that have a row by now. */
  async discard(tenantId: string, ids: readonly string[]): Promise<void> {
    await outsideUnitOfWork(async () => {
      for (const id of ids) {
        const [claimed] = await this.database.query(tenantId, CLAIM_ORPHAN, { id });
        if (!claimed) continue;
        await this.storage.remove([keyOf(id, PRIVATE)]);
        await this.database.query(tenantId, FORGET_ORPHAN, { id });
      }
    });
  }

  /** Throws a 404 if the file is gone, and a 507 or 503 if the storage fails. */
  async open(id: string, range?: ByteRange): Promise<StoredBytes> {
    try {
      const bytes = await this.storage.read(keyOf(id, PRIVATE), range);
      if (bytes) return bytes;
    } catch (error) {
      throw problemOfDisk(error) ?? error;
    }
    throw Problem.notFound('file');
  }

  /** Removes the bytes of a file whose row was deleted. */
  async carryOut(tenantId: string, item: ScheduledJob): Promise<void> {
    await this.storage.remove([keyOf(item.id, PRIVATE)]);
    await this.scheduledJobs.settle(this.database, tenantId, item);
  }
}
