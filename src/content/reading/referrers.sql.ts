import { statement } from '../../database/statements/statement.js';
import { keepToTypes, type OfTypes } from '../narrowed-lists.js';
import { REFERENCE_FIELDS } from '../references/reference-fields.sql.js';

/** An entry and one of its fields that refers to another entry. */
export interface Referrer {
  typeId: string;
  entryId: string;
  field: string;
}

/** `publicId` is the ID of the entry referred to as the value index has it. */
export interface OfEntry extends OfTypes {
  typeId: string;
  publicId: string;
  publishedOnly: boolean;
}

/** Whether the caller can read the entry. */
export const REFERRED_ENTRY = statement<
  { typeId: string; entryId: string; publishedOnly: boolean },
  { status: string }
>()(
  'referrers.entry',
  `SELECT status FROM entries WHERE tenant_id = :tenantId AND content_type_id = :typeId AND id = :entryId
    AND (NOT :publishedOnly::boolean OR status = 'published')`,
);

const ROWS =
  `v.tenant_id = :tenantId AND v.content_type_id = f.type AND v.field = f.index_field AND v.sort_key = :publicId::text
        AND ${keepToTypes('f.type')}
        AND (NOT :publishedOnly::boolean OR (
          SELECT true FROM entries e
          WHERE e.tenant_id = :tenantId AND e.content_type_id = f.type AND e.id = v.entry_id AND e.status = 'published'
        ))` as const;

const page = <const Place extends string, const Limit extends string>(place: Place, limit: Limit) =>
  `SELECT f.type AS "typeId", v.entry_id AS "entryId", f.name AS field
    FROM ${REFERENCE_FIELDS} f
    CROSS JOIN LATERAL (
      SELECT v.entry_id FROM entry_values v WHERE ${ROWS} ${place} ORDER BY v.entry_id DESC LIMIT ${limit}
    ) v
    ORDER BY v.entry_id DESC, f.name COLLATE "C"` as const;

export const PAGE_OF_REFERRERS = statement<OfEntry & { limit: number; offset: number }, Referrer>()(
  'referrers.page',
  `${page('', ':limit::bigint + :offset::bigint')} LIMIT :limit::bigint OFFSET :offset::bigint`,
);

export const FIRST_REFERRERS = statement<OfEntry & { limit: number }, Referrer>()(
  'referrers.first',
  `${page('', ':limit')} LIMIT :limit`,
);

export const REFERRERS_AFTER = statement<OfEntry & { limit: number; entryId: string; field: string }, Referrer>()(
  'referrers.after',
  `${page(
    `AND v.entry_id <= :entryId::uuid AND (v.entry_id < :entryId::uuid OR f.name COLLATE "C" > :field::text)`,
    ':limit',
  )} LIMIT :limit`,
);

export const COUNT_REFERRERS = statement<OfEntry, { total: number }>()(
  'referrers.count',
  `SELECT count(*) AS total FROM ${REFERENCE_FIELDS} f CROSS JOIN LATERAL (SELECT FROM entry_values v WHERE ${ROWS} OFFSET 0) v`,
);
