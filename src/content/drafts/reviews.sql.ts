import { type AuditParameter, recordChange } from '../../audit/record-changes.js';
import { statement } from '../../database/statements/statement.js';
import { insert, part, write } from '../../database/statements/write.js';
import { type EventParameters, recordEvents } from '../../events/event-recorder.js';
import { liveFields } from '../entries/live-fields.js';
import { CURRENT_TYPE, NO_REVIEW } from '../entries/writes/entry-parts.sql.js';
import { MARK_ENTRY, REVIEW, type ReviewColumns } from './drafts.sql.js';

interface NewReview extends AuditParameter, EventParameters {
  typeId: string;
  typeVersion: number;
  entryId: string;
  /** The version of the entry, and the number of the draft, as they were read. */
  version: number;
  number: number;
  isDraft: boolean;
  /** The name of the key, or the UUID of the member. */
  by: string | null;
  member: string | null;
  note: string | null;
}

/** Asks for a review, if the entry and its draft are still as they were read. Returns the new number of the draft. */
export const ASK_FOR_REVIEW = write<NewReview, { number: number }>()(
  'drafts.ask_for_review',
  [
    CURRENT_TYPE,
    // A publication of the entry waits, and then notices the review.
    part(
      'entry',
      `SELECT 1 FROM entries WHERE tenant_id = :tenantId AND content_type_id = :typeId AND id = :entryId::uuid AND version = :version::int
      AND EXISTS (SELECT FROM type)
    FOR NO KEY UPDATE`,
      { of: 'type' },
    ),
    insert(
      'saved',
      `INSERT INTO entry_drafts AS d (tenant_id, content_type_id, entry_id, number, links, review_by, review_member, review_at, review_note)
      SELECT :tenantId, :typeId, :entryId::uuid, 1, 0, :by::text, :member::uuid, :at::timestamptz, :note::text
      FROM entry
      ON CONFLICT (tenant_id, content_type_id, entry_id) DO UPDATE SET number = d.number + 1, review_by = excluded.review_by,
      review_member = excluded.review_member, review_at = excluded.review_at, review_note = excluded.review_note
    WHERE d.number = :number::int AND (d.fields IS NOT NULL) = :isDraft::boolean
    RETURNING number`,
    ),
    MARK_ENTRY,
    ...recordEvents('saved', ':version::int'),
    recordChange('saved'),
  ],
  { columns: 'number', of: 'saved' },
);

/** Takes a review back, if the draft is still the one that was read. */
export const TAKE_REVIEW_BACK = write<AuditParameter & { typeId: string; entryId: string; number: number }, object>()(
  'drafts.take_review_back',
  [
    part(
      'taken',
      `UPDATE entry_drafts SET ${NO_REVIEW}, number = number + 1
    WHERE tenant_id = :tenantId AND content_type_id = :typeId AND entry_id = :entryId AND number = :number AND review_at IS NOT NULL
    RETURNING 1`,
    ),
    recordChange('taken'),
  ],
  { columns: '1', of: 'taken' },
);

/** A review that waits. */
interface WaitingRow extends ReviewColumns {
  reviewAt: string;
  /** The UUID of the member who asked for it; null for a key. */
  memberId: string | null;
  typeName: string;
  typeSlug: string;
  typeVersion: number;
  /** The first value of the field `:title` in the draft, or in the entry if the draft does not change it. */
  title: string | null;
}

/** Reads a review that waits, and no more than the title of its draft. */
export const FIND_WAITING_REVIEW = statement<{ typeId: string; entryId: string; title: string | null }, WaitingRow>()(
  'drafts.find_waiting_review',
  `SELECT ${REVIEW}, d.review_member AS "memberId", t.name AS "typeName", t.slug AS "typeSlug", t.version AS "typeVersion",
      left(CASE json_typeof(v.title) WHEN 'array' THEN v.title ->> 0 ELSE v.title #>> '{}' END, 200) AS title
    FROM entry_drafts d
    JOIN content_types t ON t.tenant_id = :tenantId AND t.id = :typeId
    JOIN entries e ON e.tenant_id = :tenantId AND e.content_type_id = :typeId AND e.id = :entryId
    CROSS JOIN LATERAL (
      SELECT CASE WHEN d.bases -> :title::text IS NULL THEN (${liveFields('e', ':typeId')}) -> :title::text
        ELSE d.fields -> :title::text END AS title
    ) AS v
    WHERE d.tenant_id = :tenantId AND d.content_type_id = :typeId AND d.entry_id = :entryId AND d.review_at IS NOT NULL`,
);
