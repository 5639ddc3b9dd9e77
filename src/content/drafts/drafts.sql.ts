import { FORMER_MEMBER } from '../../access/member-names.js';
import { type AuditParameter, recordChange } from '../../audit/record-changes.js';
import { statement } from '../../database/statements/statement.js';
import { insert, part, write } from '../../database/statements/write.js';
import { LARGE_BYTES } from '../../lists/large-json.js';
import { liveFields } from '../entries/live-fields.js';
import { type EntryForWrite, FOR_WRITE } from '../entries/entries.sql.js';
import { NO_DRAFT, CURRENT_TYPE } from '../entries/writes/entry-parts.sql.js';

/** What is stored of the review of a draft. All columns are null unless it waits. */
export interface ReviewColumns {
  /** Who asked for it. Null also without a name. */
  reviewBy: string | null;
  reviewAt: string | null;
  reviewNote: string | null;
}

/** SQL for these columns. The name of a member is that of today. */
export const REVIEW = `CASE WHEN d.review_member IS NULL THEN d.review_by ELSE coalesce(
    (SELECT m.name FROM members m WHERE m.tenant_id = :tenantId AND m.id = d.review_member), '${FORMER_MEMBER}'
  ) END AS "reviewBy", d.review_at AS "reviewAt", d.review_note AS "reviewNote"` as const;

/**
 * What is stored of a draft. `draft`, `bases`, `baseVersion` and its times are null if the entry has no draft. An entry that is not published may have
 * a review without it.
 */
interface DraftColumns extends ReviewColumns {
  /** The number of the last draft's ETag; 0 if there was none. */
  number: number;
  /** The generation of the preview links. */
  links: number;
  draft: string | null;
  bases: string | null;
  baseVersion: number | null;
  draftCreatedAt: string | null;
  draftUpdatedAt: string | null;
  /** The number of the draft, and the version of the entry, after the last change by somebody who may not publish. Null if there is none. */
  unapprovedNumber: number | null;
  unapprovedVersion: number | null;
}

/** The name of a content type, as people see it. */
export const TYPE_NAME = statement<{ typeId: string }, { name: string }>()(
  'drafts.type_name',
  'SELECT name FROM content_types WHERE tenant_id = :tenantId AND id = :typeId',
);

/** An entry with its draft. */
export type DraftedEntry = EntryForWrite & DraftColumns;

/** What a preview link depends on. */
interface PreviewLinksOfEntry {
  typeVersion: number;
  links: number;
}

const DRAFT = `coalesce(d.number, 0) AS number, coalesce(d.links, 0) AS links, d.bases, d.base_version AS "baseVersion",
      d.created_at AS "draftCreatedAt", d.updated_at AS "draftUpdatedAt", ${REVIEW}, d.unapproved AS "unapprovedNumber",
      e.unapproved AS "unapprovedVersion"` as const;

const WITH_DRAFT = `FROM entries e JOIN content_types t ON t.tenant_id = :tenantId AND t.id = :typeId
    LEFT JOIN entry_drafts d ON d.tenant_id = :tenantId AND d.content_type_id = :typeId AND d.entry_id = :entryId
    WHERE e.tenant_id = :tenantId AND e.content_type_id = :typeId AND e.id = :entryId`;

export const GET_WITH_DRAFT = statement<{ typeId: string; entryId: string }, DraftedEntry>()(
  'drafts.get',
  `SELECT ${FOR_WRITE}, ${liveFields('e', ':typeId')} AS fields, d.fields AS draft, ${DRAFT}
    ${WITH_DRAFT}`,
);

/** SQL for a JSON column, or null if the values of the entry and its draft are large together. */
const unlessLarge = <const Column extends string>(column: Column) =>
  `CASE WHEN coalesce(e.size, ${LARGE_BYTES}) + coalesce(d.size, 0) < ${LARGE_BYTES} THEN ${column} END` as const;

/** The same, without the values if they are large. */
export const GET_UNLESS_LARGE = statement<
  { typeId: string; entryId: string },
  Omit<DraftedEntry, 'fields'> & { fields: string | null }
>()(
  'drafts.get_unless_large',
  `SELECT ${FOR_WRITE}, ${unlessLarge(liveFields('e', ':typeId'))} AS fields, ${unlessLarge('d.fields')} AS draft, ${DRAFT}
    ${WITH_DRAFT}`,
);

export const GET_PREVIEW_LINKS = statement<{ typeId: string; entryId: string }, PreviewLinksOfEntry>()(
  'drafts.get_preview_links',
  `SELECT t.version AS "typeVersion", coalesce(d.links, 0) AS links
    ${WITH_DRAFT}`,
);

/** Holds the entry, so that a deletion of it waits for this statement, and then finds the row that it added. */
const ENTRY = part(
  'entry',
  `SELECT 1 FROM entries WHERE tenant_id = :tenantId AND content_type_id = :typeId AND id = :entryId::uuid AND EXISTS (SELECT FROM type)
    FOR KEY SHARE`,
  { of: 'type' },
);

/** Marks an entry that got its first row in `entry_drafts`. A deletion that did not know of the row then starts again. */
export const MARK_ENTRY = part(
  'marked',
  `UPDATE entries x SET drafted = true FROM saved
    WHERE x.tenant_id = :tenantId AND x.content_type_id = :typeId AND x.id = :entryId::uuid AND x.drafted IS NOT TRUE`,
  { of: 'saved' },
);

interface SavedDraft extends AuditParameter {
  typeId: string;
  typeVersion: number;
  entryId: string;
  /** As they were read. */
  number: number;
  isDraft: boolean;
  draft: string;
  bases: string;
  baseVersion: number;
  createdAt: string;
  at: string;
  /** The new number, if it is made by somebody who may not publish; otherwise null. */
  unapproved: number | null;
  /** The public ID of the key or member. */
  savedBy: string | null;
}

/** Makes or changes the draft, if it is still as it was read. Returns its new number. */
export const SAVE_DRAFT = write<SavedDraft, { number: number }>()(
  'drafts.save',
  [
    CURRENT_TYPE,
    ENTRY,
    insert(
      'saved',
      `INSERT INTO entry_drafts AS d (tenant_id, content_type_id, entry_id, number, links, fields, bases, size, base_version, created_at,
      updated_at, unapproved, saved_by, saved_at)
      SELECT :tenantId, :typeId, :entryId::uuid, 1, 0, :draft::text::json, :bases::text::json, octet_length(:draft::text),
      :baseVersion::int, :createdAt::timestamptz, :at::timestamptz, :unapproved::int,
      :savedBy::text, :at::timestamptz
      FROM entry
      ON CONFLICT (tenant_id, content_type_id, entry_id) DO UPDATE SET number = d.number + 1, fields = excluded.fields, bases = excluded.bases,
      size = excluded.size, base_version = excluded.base_version, created_at = excluded.created_at, updated_at = excluded.updated_at,
      unapproved = coalesce(excluded.unapproved, d.unapproved), saved_by = excluded.saved_by, saved_at = excluded.saved_at
    WHERE d.number = :number::int AND (d.fields IS NOT NULL) = :isDraft::boolean
    RETURNING number`,
    ),
    MARK_ENTRY,
    recordChange('saved'),
  ],
  { columns: 'number', of: 'saved' },
);

/** `unapproved` is as in `SavedDraft`: only then the draft gets a new number, by which a schedule notices that it was discarded. */
export const DISCARD_DRAFT = write<
  AuditParameter & { typeId: string; entryId: string; number: number; unapproved: number | null },
  object
>()(
  'drafts.discard',
  [
    part(
      'discarded',
      `UPDATE entry_drafts SET ${NO_DRAFT}, number = coalesce(:unapproved::int, number), unapproved = :unapproved::int
    WHERE tenant_id = :tenantId AND content_type_id = :typeId AND entry_id = :entryId AND number = :number AND fields IS NOT NULL
    RETURNING 1`,
    ),
    recordChange('discarded'),
  ],
  { columns: '1', of: 'discarded' },
);

/** Records that a preview link was made, if the entry still exists. The link is not stored, so the record is all that changes. */
export const RECORD_PREVIEW_LINK = write<
  AuditParameter & { typeId: string; typeVersion: number; entryId: string },
  object
>()('drafts.record_preview_link', [CURRENT_TYPE, ENTRY, recordChange('entry')], { columns: '1', of: 'entry' });

/** Raises the generation of the entry's preview links. */
export const END_PREVIEW_LINKS = write<
  AuditParameter & { typeId: string; typeVersion: number; entryId: string },
  object
>()(
  'drafts.end_preview_links',
  [
    CURRENT_TYPE,
    ENTRY,
    insert(
      'saved',
      `INSERT INTO entry_drafts AS d (tenant_id, content_type_id, entry_id, number, links)
      SELECT :tenantId, :typeId, :entryId::uuid, 0, 1
      FROM entry
      ON CONFLICT (tenant_id, content_type_id, entry_id) DO UPDATE SET links = d.links + 1
    RETURNING 1`,
    ),
    MARK_ENTRY,
    recordChange('saved'),
  ],
  { columns: '1', of: 'saved' },
);
