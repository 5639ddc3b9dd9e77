import { type NoParameters, serviceStatement, statement } from '../../database/statements/statement.js';
import { insert, part, write } from '../../database/statements/write.js';

/** A variant's row. */
export interface VariantRow {
  mediaId: string;
  name: string;
  bytes: number;
  usedAt: string;
}

/** SQL for the columns of a `VariantRow`. */
const COLUMNS = 'media_id AS "mediaId", name, bytes, used_at AS "usedAt"';

/** The parts of a write that add `bytes`, an aggregate over the rows of the part `source`, to the tenant's total. */
function count<const Source extends string, const Bytes extends string>(source: Source, bytes: Bytes) {
  return [
    part('more', `SELECT ${bytes} AS bytes FROM ${source} HAVING count(*) > 0`, {
      of: source,
      returns: { bytes: 'bigint' },
    }),
    insert(
      'counted',
      `INSERT INTO media_variant_totals AS t (tenant_id, bytes)
      SELECT :tenantId, more.bytes
      FROM more
      ON CONFLICT (tenant_id) DO UPDATE SET bytes = t.bytes + excluded.bytes`,
    ),
  ] as const;
}

/**
 * Records a variant before its bytes are stored. Returns no row if the file was deleted or the variant is recorded already. A deletion of
 * the file waits for the lock and then finds the variant.
 */
export const NOTE_VARIANT = write<{ mediaId: string; name: string; bytes: number; usedAt: Date }, unknown>()(
  'variants.note',
  [
    part('file', 'SELECT id FROM media WHERE tenant_id = :tenantId AND id = :mediaId::uuid FOR KEY SHARE'),
    insert(
      'noted',
      `INSERT INTO media_variants (tenant_id, media_id, name, bytes, used_at)
      SELECT :tenantId, :mediaId::uuid, :name, :bytes::bigint, :usedAt::timestamptz
      FROM file
      ON CONFLICT DO NOTHING RETURNING bytes`,
      { returns: { bytes: 'bigint' } },
    ),
    ...count('noted', 'sum(bytes)'),
  ],
  { columns: '1', of: 'noted' },
);

/** Sets the size and the time of use of a recorded variant, if it was last used before `usedBefore`. */
export const USE_VARIANT = write<
  { mediaId: string; name: string; bytes: number; usedAt: Date; usedBefore: Date },
  unknown
>()(
  'variants.use',
  [
    part(
      'before',
      `SELECT bytes FROM media_variants
    WHERE tenant_id = :tenantId AND media_id = :mediaId::uuid AND name = :name AND used_at < :usedBefore::timestamptz FOR UPDATE`,
      { returns: { bytes: 'bigint' } },
    ),
    part(
      'used',
      `UPDATE media_variants v SET bytes = :bytes::bigint, used_at = :usedAt::timestamptz FROM before
    WHERE v.tenant_id = :tenantId AND v.media_id = :mediaId::uuid AND v.name = :name`,
      { of: 'before' },
    ),
    ...count('before', ':bytes::bigint - sum(bytes)'),
  ],
  { columns: '1', of: 'before' },
);

/** Deletes the rows of variants whose bytes were removed, unless they were used or created again in the meantime. */
export const FORGET_VARIANTS = write<
  { mediaIds: readonly string[]; names: readonly string[]; usedAt: readonly string[] },
  unknown
>()('variants.forget', [
  part(
    'gone',
    `DELETE FROM media_variants v
    USING unnest(:mediaIds::uuid[], :names::text[], :usedAt::timestamptz[]) AS g (media_id, name, used_at)
    WHERE v.tenant_id = :tenantId AND v.media_id = g.media_id AND v.name = g.name AND v.used_at = g.used_at
    RETURNING v.bytes`,
    { returns: { bytes: 'bigint' }, isMany: true },
  ),
  ...count('gone', '-sum(bytes)'),
]);

export const VARIANTS_OF_MEDIA = statement<{ mediaId: string }, VariantRow>()(
  'variants.of_media',
  `SELECT ${COLUMNS} FROM media_variants WHERE tenant_id = :tenantId AND media_id = :mediaId::uuid`,
);

export const GET_VARIANT = statement<{ mediaId: string; name: string }, VariantRow>()(
  'variants.get',
  `SELECT ${COLUMNS} FROM media_variants WHERE tenant_id = :tenantId AND media_id = :mediaId::uuid AND name = :name`,
);

/** Returns a row if both the variant and its file still exist once the bytes are stored. */
export const IS_STILL_NOTED = statement<{ mediaId: string; name: string }, unknown>()(
  'variants.is_still_noted',
  `SELECT 1 FROM media m JOIN media_variants v ON v.tenant_id = m.tenant_id AND v.media_id = m.id
    WHERE m.tenant_id = :tenantId AND m.id = :mediaId::uuid AND v.name = :name`,
);

/** Records that the bytes of a deleted file's variants were removed. The rows stay until the sweeper has removed the bytes again. */
export const RELEASE_VARIANTS = write<{ mediaId: string }, unknown>()('variants.release', [
  part(
    'before',
    'SELECT name, bytes FROM media_variants WHERE tenant_id = :tenantId AND media_id = :mediaId::uuid FOR UPDATE',
    {
      returns: { name: 'text', bytes: 'bigint' },
      isMany: true,
    },
  ),
  part(
    'released',
    `UPDATE media_variants v SET bytes = 0 FROM before b
    WHERE v.tenant_id = :tenantId AND v.media_id = :mediaId::uuid AND v.name = b.name`,
    { of: 'before' },
  ),
  ...count('before', '-sum(bytes)'),
]);

/** The tenant's variants that have not been used for the longest time. */
export const LEAST_USED_VARIANTS = statement<NoParameters, VariantRow>()(
  'variants.least_used',
  `SELECT ${COLUMNS} FROM media_variants WHERE tenant_id = :tenantId AND bytes > 0 ORDER BY used_at LIMIT 100`,
);

/** The tenants with the most bytes, and the bytes of all tenants. Reads over all tenants and locks nothing. */
export const VARIANT_TOTALS = serviceStatement<NoParameters, { tenantId: string; bytes: number; allBytes: number }>()(
  'variants.totals',
  `SELECT tenant_id AS "tenantId", bytes, (sum(bytes) OVER ())::bigint AS "allBytes"
    FROM media_variant_totals ORDER BY bytes DESC LIMIT 100`,
);

/** Variants whose bytes were never measured and that were last used before `usedBefore`. Reads over all tenants and locks nothing. */
export const UNMEASURED_VARIANTS = serviceStatement<{ usedBefore: Date }, VariantRow & { tenantId: string }>()(
  'variants.unmeasured',
  `SELECT tenant_id AS "tenantId", ${COLUMNS} FROM media_variants
    WHERE bytes = 0 AND used_at < :usedBefore ORDER BY used_at LIMIT 1000`,
);
