import { statement } from '../../database/statements/statement.js';
import { keepToTypes, type OfTypes } from '../narrowed-lists.js';
import { liveFields } from '../entries/live-fields.js';
import { LARGE_BYTES } from '../../lists/large-json.js';

/** A draft of a page, with the live values of its entry. `fields` is null if they or the values of the draft are large. */
export interface ListedDraft {
  id: string;
  typeId: string;
  typeVersion: number;
  fields: string | null;
  draft: string | null;
  bases: string;
  baseVersion: number;
  draftCreatedAt: string;
  draftUpdatedAt: string;
}

/** The same with all of its JSON. */
export type LargeDraft = ListedDraft & { fields: string; draft: string };

/** The columns that every row has. */
const COLUMNS = `d.entry_id AS id, d.content_type_id AS "typeId", t.version AS "typeVersion", d.bases, d.base_version AS "baseVersion",
    d.created_at AS "draftCreatedAt", d.updated_at AS "draftUpdatedAt"`;

/** SQL for the bytes of JSON that showing a draft reads. */
const BYTES = '(d.size + coalesce(e.size, octet_length(e.fields::text)))';

const unlessLarge = <const Column extends string>(column: Column) =>
  `CASE WHEN ${BYTES} < ${LARGE_BYTES} THEN ${column} END` as const;

/** A page of drafts `p`, newest change first, with their entries and types. */
const page = <const Rows extends string>(rows: Rows) =>
  `SELECT ${COLUMNS}, ${unlessLarge(liveFields('e', 'd.content_type_id'))} AS fields, ${unlessLarge('d.fields')} AS draft
    FROM (SELECT content_type_id, entry_id, fields, bases, size, base_version, created_at, updated_at FROM entry_drafts
      WHERE tenant_id = :tenantId AND fields IS NOT NULL AND ${keepToTypes('content_type_id')} ${rows}) d
    JOIN content_types t ON t.tenant_id = :tenantId AND t.id = d.content_type_id
    JOIN entries e ON e.tenant_id = :tenantId AND e.content_type_id = d.content_type_id AND e.id = d.entry_id
    ORDER BY d.updated_at DESC, d.entry_id DESC` as const;

const ORDER = 'ORDER BY updated_at DESC, entry_id DESC LIMIT :limit';

export const DRAFTS_PAGE = statement<OfTypes & { limit: number; offset: number }, ListedDraft>()(
  'drafts.page',
  page(`${ORDER} OFFSET :offset`),
);

export const FIRST_DRAFTS = statement<OfTypes & { limit: number }, ListedDraft>()('drafts.first', page(ORDER));

export const DRAFTS_AFTER = statement<OfTypes & { limit: number; updatedAt: string; id: string }, ListedDraft>()(
  'drafts.after',
  page(`AND (updated_at, entry_id) < (:updatedAt::timestamptz, :id::uuid) ${ORDER}`),
);

export const COUNT_DRAFTS = statement<OfTypes, { total: number }>()(
  'drafts.count',
  `SELECT count(*) AS total FROM entry_drafts
    WHERE tenant_id = :tenantId AND fields IS NOT NULL AND ${keepToTypes('content_type_id')}`,
);

/** The drafts of these entries, and the entries. */
const OF_ENTRIES = `FROM unnest(:typeIds::uuid[], :ids::uuid[]) AS n (type_id, id)
    JOIN entry_drafts d ON d.tenant_id = :tenantId AND d.content_type_id = n.type_id AND d.entry_id = n.id AND d.fields IS NOT NULL
    JOIN entries e ON e.tenant_id = :tenantId AND e.content_type_id = n.type_id AND e.id = n.id`;

type Names = { typeIds: readonly string[]; ids: readonly string[] };

export const DRAFT_SIZES = statement<Names, { id: string; bytes: number }>()(
  'drafts.sizes',
  `SELECT d.entry_id AS id, ${BYTES} AS bytes ${OF_ENTRIES}`,
);

export const DRAFTS_BY_IDS = statement<Names, LargeDraft>()(
  'drafts.by_ids',
  `SELECT ${COLUMNS}, ${liveFields('e', 'n.type_id')} AS fields, d.fields AS draft ${OF_ENTRIES}
    JOIN content_types t ON t.tenant_id = :tenantId AND t.id = n.type_id`,
);
