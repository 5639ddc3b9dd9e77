import { COUNT_SLOT } from '../database/count-slot.js';
import { recordEvents } from '../events/event-recorder.js';

/** What is known of a file, as the statements read it. */
export interface MediaRow {
  id: string;
  filename: string;
  alt: string;
  mime_type: string;
  extension: string;
  size: number;
  width: number | null;
  height: number | null;
  created_at: string;
}

export const COLUMNS = 'id, filename, alt, mime_type, extension, size, width, height, created_at';

export const GET_MEDIA = {
  name: 'media.get',
  text: `SELECT ${COLUMNS} FROM media WHERE tenant_id = $1 AND id = $2`,
};

export const FIND_MEDIA = {
  name: 'media.find',
  text: `SELECT id, alt, extension FROM media WHERE tenant_id = $1 AND id = ANY ($2::uuid[])`,
};

/** Announces bytes that are about to be written. */
export const ANNOUNCE = {
  name: 'media.announce',
  text: `INSERT INTO media_strays (tenant_id, id, leaving, since) VALUES ($1, $2, false, $3)`,
};

/** Nothing is left of these bytes. */
export const FORGET_STRAY = {
  name: 'media.forget_stray',
  text: `DELETE FROM media_strays WHERE tenant_id = $1 AND id = $2`,
};

/** After this the bytes can't become a file any more; no row means that they have become one. */
export const CLAIM_STRAY = {
  name: 'media.claim_stray',
  text: `UPDATE media_strays SET leaving = true WHERE tenant_id = $1 AND id = $2 RETURNING 1`,
};

const count = (by: 1 | -1) => `counted AS (
    INSERT INTO media_counts AS c (tenant_id, mime_type, slot, files)
    SELECT $1, mime_type, ${COUNT_SLOT}, ${by} FROM file
    ON CONFLICT (tenant_id, mime_type, slot) DO UPDATE SET files = c.files + excluded.files
  )`;

/** The row, its counter and its event, provided that the bytes are still on their way in. */
export const CREATE_MEDIA = {
  name: 'media.create',
  text: `WITH arrived AS (
    DELETE FROM media_strays WHERE tenant_id = $1 AND id = $2::uuid AND NOT leaving RETURNING 1
  ), file AS (
    INSERT INTO media (tenant_id, id, filename, alt, mime_type, extension, size, width, height, search, created_at)
    SELECT $1, $2::uuid, $3, $4, $5, $6, $7::bigint, $8::int, $9::int, $10::tsvector, $11::timestamptz FROM arrived
    RETURNING mime_type
  ), ${count(1)}, ${recordEvents({ source: 'file', ids: '$12', types: '$13', data: '$14', at: '$11' })}
  SELECT 1 FROM file`,
};

export const UPDATE_ALT = {
  name: 'media.update_alt',
  text: `UPDATE media SET alt = $3, search = $4::tsvector WHERE tenant_id = $1 AND id = $2 RETURNING ${COLUMNS}`,
};

/** Only in the state that the event tells of: its alternative text is what may have changed meanwhile. */
export const DELETE_MEDIA = {
  name: 'media.delete',
  text: `WITH file AS (
    DELETE FROM media WHERE tenant_id = $1 AND id = $2::uuid AND alt = $3 RETURNING mime_type
  ), stray AS (
    INSERT INTO media_strays (tenant_id, id, leaving, since) SELECT $1, $2::uuid, true, $7::timestamptz FROM file
  ), ${count(-1)}, ${recordEvents({ source: 'file', ids: '$4', types: '$5', data: '$6', at: '$7' })}
  SELECT 1 FROM file`,
};

/** Strays that are older than any upload takes. Over all tenants: it locks nothing. */
export const OLD_STRAYS = {
  name: 'media.old_strays',
  text: `SELECT tenant_id, id FROM media_strays WHERE since < $1 ORDER BY since LIMIT 1000`,
};
