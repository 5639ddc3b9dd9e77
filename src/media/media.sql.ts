import { type AuditParameter, recordChange } from '../audit/record-changes.js';
import { COUNT_SHARD } from '../database/statements/count-shard.js';
import { serviceStatement, statement } from '../database/statements/statement.js';
import { insert, part, write } from '../database/statements/write.js';
import { type EventParameters, recordEvents } from '../events/event-recorder.js';

/** A file's row. */
export interface MediaRow {
  id: string;
  filename: string;
  alt: string;
  mimeType: string;
  extension: string;
  size: number;
  width: number | null;
  height: number | null;
  createdAt: string;
}

/** SQL for the columns of a `MediaRow`. */
const MEDIA_COLUMNS =
  'id, filename, alt, mime_type AS "mimeType", extension, size, width, height, created_at AS "createdAt"';

export const GET_MEDIA = statement<{ id: string }, MediaRow>()(
  'media.get',
  `SELECT ${MEDIA_COLUMNS} FROM media WHERE tenant_id = :tenantId AND id = :id`,
);

export const FIND_MEDIA = statement<
  { ids: readonly string[] },
  Pick<MediaRow, 'id' | 'alt' | 'extension' | 'mimeType' | 'width' | 'height'>
>()(
  'media.find',
  `SELECT id, alt, extension, mime_type AS "mimeType", width, height FROM media WHERE tenant_id = :tenantId AND id = ANY (:ids::uuid[])`,
);

/** Announces bytes that are about to be written. */
export const ANNOUNCE = write<{ ids: readonly string[]; since: Date }, never>()('media.announce', [
  insert(
    'announced',
    `INSERT INTO orphaned_files (tenant_id, id, leaving, since)
      SELECT :tenantId, n.id, false, :since::timestamptz
      FROM unnest(:ids::uuid[]) AS n (id)`,
  ),
]);

/** Records that these bytes no longer exist. */
export const FORGET_ORPHAN = statement<{ id: string }, never>()(
  'media.forget_orphan',
  `DELETE FROM orphaned_files WHERE tenant_id = :tenantId AND id = :id`,
);

/** Afterwards the bytes cannot become a file any more. Returns no row if they have become one. */
export const CLAIM_ORPHAN = statement<{ id: string }, unknown>()(
  'media.claim_orphan',
  `UPDATE orphaned_files SET leaving = true WHERE tenant_id = :tenantId AND id = :id RETURNING 1`,
);

function count<const By extends 1 | -1>(by: By) {
  return insert(
    'counted',
    `INSERT INTO media_counts AS c (tenant_id, mime_type, shard, files, bytes)
      SELECT :tenantId, file.mime_type, ${COUNT_SHARD}, ${by}, ${by} * file.size
      FROM file
      ON CONFLICT (tenant_id, mime_type, shard) DO UPDATE SET files = c.files + excluded.files, bytes = c.bytes + excluded.bytes`,
  );
}

/** What `count` needs of the part `file`. */
const COUNTED = { mime_type: 'text', size: 'bigint' } as const;

/** A file is created at the time of its event, `at`. */
interface NewMedia extends EventParameters, AuditParameter {
  id: string;
  filename: string;
  alt: string;
  mimeType: string;
  extension: string;
  sizeBytes: number;
  width: number | null;
  height: number | null;
  search: Buffer;
}

/** Inserts the row, counts it and records its event. Does nothing and returns no row if the bytes were claimed for removal. */
export const CREATE_MEDIA = write<NewMedia, unknown>()(
  'media.create',
  [
    part(
      'arrived',
      'DELETE FROM orphaned_files WHERE tenant_id = :tenantId AND id = :id::uuid AND NOT leaving RETURNING 1',
    ),
    insert(
      'file',
      `INSERT INTO media (tenant_id, id, filename, alt, mime_type, extension, size, width, height, search, created_at)
      SELECT :tenantId, :id::uuid, :filename, :alt, :mimeType, :extension, :sizeBytes::bigint, :width::int, :height::int,
      :search::tsvector, :at::timestamptz
      FROM arrived
      RETURNING mime_type, size`,
      { returns: COUNTED },
    ),
    count(1),
    ...recordEvents('file'),
    recordChange('file'),
  ],
  { columns: '1', of: 'file' },
);

export const UPDATE_ALT = write<AuditParameter & { id: string; alt: string; search: Buffer }, MediaRow>()(
  'media.update_alt',
  [
    part(
      'file',
      `UPDATE media SET alt = :alt, search = :search::tsvector WHERE tenant_id = :tenantId AND id = :id RETURNING ${MEDIA_COLUMNS}`,
    ),
    recordChange('file'),
  ],
  { columns: '*', of: 'file' },
);

/** Deletes the row only if it still is as in the event. Only the alternative text can have changed in the meantime. */
export const DELETE_MEDIA = write<EventParameters & AuditParameter & { id: string; alt: string }, unknown>()(
  'media.delete',
  [
    part(
      'file',
      'DELETE FROM media WHERE tenant_id = :tenantId AND id = :id::uuid AND alt = :alt RETURNING mime_type, size',
      {
        returns: COUNTED,
      },
    ),
    insert(
      'orphan',
      `INSERT INTO orphaned_files (tenant_id, id, leaving, since)
      SELECT :tenantId, :id::uuid, true, :at::timestamptz
      FROM file`,
    ),
    count(-1),
    ...recordEvents('file'),
    recordChange('file'),
  ],
  { columns: '1', of: 'file' },
);

/** Selects orphaned files that are older than the time `before`. Reads over all tenants and locks nothing. */
export const OLD_ORPHANS = serviceStatement<{ before: Date }, { tenantId: string; id: string }>()(
  'media.old_orphans',
  `SELECT tenant_id AS "tenantId", id FROM orphaned_files WHERE since < :before ORDER BY since LIMIT 1000`,
);
