import { statement } from '../../database/statements/statement.js';
import { keepToTypes, type OfTypes } from '../narrowed-lists.js';
import { liveFields } from '../entries/live-fields.js';
import { LARGE_BYTES } from '../../lists/large-json.js';
import { REVIEW, type ReviewColumns } from './drafts.sql.js';

/** A draft of a page, with the live values of its entry. `fields` is null if they or the values of the draft are large. */
export interface ListedDraft extends ReviewColumns {
  id: string;
  typeId: string;
  typeVersion: number;
  fields: string | null;
  draft: string | null;
  bases: string;
  baseVersion: number;
  draftCreatedAt: string;
  draftUpdatedAt: string;
  savedAt: string | null;
}

/** The same with all of its JSON. */
export type LargeDraft = ListedDraft & { fields: string; draft: string };

/**
 * The columns that every row has. An entry that is not published may be listed without a draft. It is then shown as a draft that changes nothing.
 */
const COLUMNS =
  `d.entry_id AS id, d.content_type_id AS "typeId", t.version AS "typeVersion", coalesce(d.bases, '{}') AS bases,
    coalesce(d.base_version, e.version) AS "baseVersion", coalesce(d.created_at, e.created_at) AS "draftCreatedAt",
    coalesce(d.updated_at, e.updated_at) AS "draftUpdatedAt",
    d.saved_at AS "savedAt", ${REVIEW}` as const;
const DRAFT = "coalesce(d.fields, '{}')";

/** SQL for the bytes of JSON that showing a draft reads. */
const BYTES = '(coalesce(d.size, 0) + coalesce(e.size, octet_length(e.fields::text)))';

const unlessLarge = <const Column extends string>(column: Column) =>
  `CASE WHEN ${BYTES} < ${LARGE_BYTES} THEN ${column} END` as const;

/** Drafts, or only those that do not wait for review; the last changed one comes first. */
const DRAFTS = {
  which: 'fields IS NOT NULL AND (NOT :isWithoutReview::boolean OR review_at IS NULL)',
  at: 'updated_at',
} as const;
/** What waits for review; the last request comes first. */
const WAITING = { which: 'review_at IS NOT NULL', at: 'review_at' } as const;
/** What a key or member was the last to save; the last saved one comes first. */
const MINE = { which: 'saved_by = :savedBy', at: 'saved_at' } as const;

interface Listed<Which extends string, At extends string> {
  which: Which;
  at: At;
}

/** A page of drafts, newest first, with their entries and types. */
const page = <
  const Which extends string,
  const At extends string,
  const More extends string,
  const Rest extends string,
>(
  { which, at }: Listed<Which, At>,
  more: More,
  rest: Rest,
) =>
  `SELECT ${COLUMNS}, ${unlessLarge(liveFields('e', 'd.content_type_id'))} AS fields, ${unlessLarge(DRAFT)} AS draft
    FROM (SELECT content_type_id, entry_id, fields, bases, size, base_version, created_at, updated_at, review_by,
        review_member, review_at, review_note, saved_at
      FROM entry_drafts
      WHERE tenant_id = :tenantId AND ${which} AND ${keepToTypes('content_type_id')} ${more}
      ORDER BY ${at} DESC, entry_id DESC LIMIT :limit ${rest}) d
    JOIN content_types t ON t.tenant_id = :tenantId AND t.id = d.content_type_id
    JOIN entries e ON e.tenant_id = :tenantId AND e.content_type_id = d.content_type_id AND e.id = d.entry_id
    ORDER BY d.${at} DESC, d.entry_id DESC` as const;

const after = <const Which extends string, const At extends string>(listed: Listed<Which, At>) =>
  page(listed, `AND (${listed.at}, entry_id) < (:placeAt::timestamptz, :id::uuid)` as const, '');

const count = <const Which extends string>(which: Which) =>
  `SELECT count(*) AS total FROM entry_drafts
    WHERE tenant_id = :tenantId AND ${which} AND ${keepToTypes('content_type_id')}` as const;

type Drafts = OfTypes & { isWithoutReview: boolean };
type Place = { placeAt: string; id: string };

export const DRAFTS_PAGE = statement<Drafts & { limit: number; offset: number }, ListedDraft>()(
  'drafts.page',
  page(DRAFTS, '', 'OFFSET :offset'),
);

export const FIRST_DRAFTS = statement<Drafts & { limit: number }, ListedDraft>()('drafts.first', page(DRAFTS, '', ''));

export const DRAFTS_AFTER = statement<Drafts & Place & { limit: number }, ListedDraft>()('drafts.after', after(DRAFTS));

export const COUNT_DRAFTS = statement<Drafts, { total: number }>()('drafts.count', count(DRAFTS.which));

export const WAITING_PAGE = statement<OfTypes & { limit: number; offset: number }, ListedDraft>()(
  'drafts.waiting_page',
  page(WAITING, '', 'OFFSET :offset'),
);

export const FIRST_WAITING = statement<OfTypes & { limit: number }, ListedDraft>()(
  'drafts.first_waiting',
  page(WAITING, '', ''),
);

export const WAITING_AFTER = statement<OfTypes & Place & { limit: number }, ListedDraft>()(
  'drafts.waiting_after',
  after(WAITING),
);

export const COUNT_WAITING = statement<OfTypes, { total: number }>()('drafts.count_waiting', count(WAITING.which));

type Mine = OfTypes & { savedBy: string };

export const MINE_PAGE = statement<Mine & { limit: number; offset: number }, ListedDraft>()(
  'drafts.mine_page',
  page(MINE, '', 'OFFSET :offset'),
);

export const FIRST_MINE = statement<Mine & { limit: number }, ListedDraft>()('drafts.first_mine', page(MINE, '', ''));

export const MINE_AFTER = statement<Mine & Place & { limit: number }, ListedDraft>()('drafts.mine_after', after(MINE));

export const COUNT_MINE = statement<Mine, { total: number }>()('drafts.count_mine', count(MINE.which));

/** The drafts of these entries, and the entries. */
const OF_ENTRIES = `FROM unnest(:typeIds::uuid[], :ids::uuid[]) AS n (type_id, id)
    JOIN entry_drafts d ON d.tenant_id = :tenantId AND d.content_type_id = n.type_id AND d.entry_id = n.id
      AND (d.fields IS NOT NULL OR d.review_at IS NOT NULL OR d.saved_by IS NOT NULL)
    JOIN entries e ON e.tenant_id = :tenantId AND e.content_type_id = n.type_id AND e.id = n.id`;

type Names = { typeIds: readonly string[]; ids: readonly string[] };

export const DRAFT_SIZES = statement<Names, { id: string; bytes: number }>()(
  'drafts.sizes',
  `SELECT d.entry_id AS id, ${BYTES} AS bytes ${OF_ENTRIES}`,
);

export const DRAFTS_BY_IDS = statement<Names, LargeDraft>()(
  'drafts.by_ids',
  `SELECT ${COLUMNS}, ${liveFields('e', 'n.type_id')} AS fields, ${DRAFT} AS draft ${OF_ENTRIES}
    JOIN content_types t ON t.tenant_id = :tenantId AND t.id = n.type_id`,
);
