/** A variant as the statements read it. */
export interface VariantRow {
  media_id: string;
  name: string;
  bytes: number;
  used_at: string;
}

/** Adds what the rows of `source` say to the tenant's total. */
const count = (source: string, bytes: string) => `counted AS (
    INSERT INTO media_variant_totals AS t (tenant_id, bytes)
    SELECT $1, ${bytes} FROM ${source} HAVING count(*) > 0
    ON CONFLICT (tenant_id) DO UPDATE SET bytes = t.bytes + excluded.bytes
  )`;

/**
 * Notes a variant before its bytes are stored. No row when the file is gone or the variant is noted already. The lock makes a deletion
 * of the file wait, which finds the variant then.
 */
export const NOTE_VARIANT = {
  name: 'variants.note',
  text: `WITH file AS (
    SELECT id FROM media WHERE tenant_id = $1 AND id = $2::uuid FOR KEY SHARE
  ), noted AS (
    INSERT INTO media_variants (tenant_id, media_id, name, bytes, used_at)
    SELECT $1, id, $3, $4::bigint, $5::timestamptz FROM file
    ON CONFLICT DO NOTHING RETURNING bytes
  ), ${count('noted', 'sum(bytes)')}
  SELECT 1 FROM noted`,
};

/** Sets bytes and use of a variant that is noted, if it was last used before `$6`. */
export const USE_VARIANT = {
  name: 'variants.use',
  text: `WITH before AS (
    SELECT bytes FROM media_variants
    WHERE tenant_id = $1 AND media_id = $2::uuid AND name = $3 AND used_at < $6::timestamptz FOR UPDATE
  ), used AS (
    UPDATE media_variants v SET bytes = $4::bigint, used_at = $5::timestamptz FROM before
    WHERE v.tenant_id = $1 AND v.media_id = $2::uuid AND v.name = $3
  ), ${count('before', '$4::bigint - sum(bytes)')}
  SELECT 1 FROM before`,
};

/** Forgets variants whose bytes are removed, unless they were used or made again meanwhile. */
export const FORGET_VARIANTS = {
  name: 'variants.forget',
  text: `WITH gone AS (
    DELETE FROM media_variants v
    USING unnest($2::uuid[], $3::text[], $4::timestamptz[]) AS g (media_id, name, used_at)
    WHERE v.tenant_id = $1 AND v.media_id = g.media_id AND v.name = g.name AND v.used_at = g.used_at
    RETURNING v.bytes
  ), ${count('gone', '-sum(bytes)')}
  SELECT 1`,
};

export const VARIANTS_OF_MEDIA = {
  name: 'variants.of_media',
  text: `SELECT media_id, name, bytes, used_at FROM media_variants WHERE tenant_id = $1 AND media_id = $2::uuid`,
};

export const GET_VARIANT = {
  name: 'variants.get',
  text: `SELECT media_id, name, bytes, used_at FROM media_variants WHERE tenant_id = $1 AND media_id = $2::uuid AND name = $3`,
};

/** Whether both the variant and its file are still there, once the bytes are stored. */
export const IS_STILL_NOTED = {
  name: 'variants.is_still_noted',
  text: `SELECT 1 FROM media m JOIN media_variants v ON v.tenant_id = m.tenant_id AND v.media_id = m.id
    WHERE m.tenant_id = $1 AND m.id = $2::uuid AND v.name = $3`,
};

/** The bytes of a deleted file's variants are gone; the rows stay until the sweeper has looked once more. */
export const RELEASE_VARIANTS = {
  name: 'variants.release',
  text: `WITH before AS (
    SELECT name, bytes FROM media_variants WHERE tenant_id = $1 AND media_id = $2::uuid FOR UPDATE
  ), released AS (
    UPDATE media_variants v SET bytes = 0 FROM before b
    WHERE v.tenant_id = $1 AND v.media_id = $2::uuid AND v.name = b.name
  ), ${count('before', '-sum(bytes)')}
  SELECT 1`,
};

/** Those that were not used for longest. */
export const LEAST_USED_VARIANTS = {
  name: 'variants.least_used',
  text: `SELECT media_id, name, bytes, used_at FROM media_variants WHERE tenant_id = $1 AND bytes > 0 ORDER BY used_at LIMIT 100`,
};

/** The tenants with the most bytes, and the bytes of all. Over all tenants: it locks nothing. */
export const VARIANT_TOTALS = {
  name: 'variants.totals',
  text: `SELECT tenant_id, bytes, (sum(bytes) OVER ())::bigint AS all_bytes FROM media_variant_totals ORDER BY bytes DESC LIMIT 100`,
};

/** Variants whose bytes were never measured, and that were not used for long. Over all tenants: it locks nothing. */
export const UNMEASURED_VARIANTS = {
  name: 'variants.unmeasured',
  text: `SELECT tenant_id, media_id, name, bytes, used_at FROM media_variants
    WHERE bytes = 0 AND used_at < $1 ORDER BY used_at LIMIT 1000`,
};
