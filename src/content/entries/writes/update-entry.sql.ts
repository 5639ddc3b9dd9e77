import { recordChange } from '../../../audit/record-changes.js';
import { part, write } from '../../../database/statements/write.js';
import type { EntryForWrite } from '../entries.sql.js';
import { recordVersion } from '../../../events/event-recorder.js';
import { type DocumentParameters, WRITE_DOCUMENTS } from '../../words/locale-words.sql.js';
import {
  ADD_UNIQUES,
  ADD_VALUES,
  countEntries,
  type EntryParameters,
  FINISHED,
  learnWords,
  type NewWords,
  NO_DRAFT,
  NO_DRAFT_VALUES,
  NO_REVIEW,
  type Preparation,
  PREPARED_AS_READ,
  PRESENTED,
  STORED,
  type ReferenceLocks,
  REMOVE_UNIQUES,
  REMOVE_VALUES,
  CURRENT_TYPE,
  CURRENT_TYPE_AND_REFERRED,
  WRITTEN,
  type WriteStatement,
} from './entry-parts.sql.js';

/** What a write of documents in locales takes besides. */
type LocaleWrite = DocumentParameters & Preparation;

/** `version` is the one that was read. */
type EntryUpdate = EntryParameters & NewWords & { version: number };

/**
 * Updates the entry only if it still has the version that was read, if the part `condition` has a row, and if `AND` is true. `set` has more columns
 * that it sets.
 */
const updated = <const Condition extends string, const Set extends string = '', const And extends string = ''>(
  condition: Condition,
  { set, and }: { set: Set; and: And } = { set: '' as Set, and: '' as And },
) =>
  [
    part(
      'entry',
      `UPDATE entries SET fields = :fields::text::json, size = octet_length(:fields::text), status = :status, version = version + 1,
      updated_at = :at::timestamptz, published_at = :publishedAt::timestamptz${set}
    WHERE tenant_id = :tenantId AND content_type_id = :typeId AND id = :entryId::uuid AND version = :version
      AND EXISTS (SELECT FROM ${condition})${and}
    RETURNING 1`,
      { of: condition },
    ),
    learnWords('entry, '),
    part(
      'search_document',
      `UPDATE entry_words x SET words = :words::tsvector, gaps = :gaps::smallint, sequence = :sequence FROM entry
    WHERE :words::tsvector IS NOT NULL AND x.tenant_id = :tenantId AND x.content_type_id = :typeId AND x.entry_id = :entryId`,
      { of: 'entry', needs: ['words'] },
    ),
    REMOVE_VALUES,
    ADD_VALUES,
    REMOVE_UNIQUES,
    ADD_UNIQUES,
    countEntries('entry'),
    ...recordVersion('entry', {
      resource: ':entryId::uuid',
      number: ':version::int + 1',
      schemaVersion: ':typeVersion::int',
      data: PRESENTED,
      stored: STORED,
    }),
    recordChange('entry'),
  ] as const;

const UPDATED = updated('type');

export const UPDATE_ENTRY: WriteStatement<EntryUpdate> = {
  plain: write<EntryUpdate, object>()('entries.update', [CURRENT_TYPE, ...UPDATED], WRITTEN),
  locking: write<EntryUpdate & ReferenceLocks, object>()(
    'entries.update_guarded',
    [...CURRENT_TYPE_AND_REFERRED, ...UPDATED],
    WRITTEN,
  ),
  localized: write<EntryUpdate & ReferenceLocks & LocaleWrite, object>()(
    'entries.update_localized',
    [...CURRENT_TYPE_AND_REFERRED, ...updated('type', { set: '', and: PREPARED_AS_READ }), ...WRITE_DOCUMENTS],
    WRITTEN,
  ),
};

const UNAPPROVED = updated('type', { set: ', unapproved = version + 1', and: '' });

/** An update by somebody who may not publish. A schedule that was set before does not publish it. */
export const UPDATE_UNAPPROVED: WriteStatement<EntryUpdate> = {
  plain: write<EntryUpdate, object>()('entries.update_unapproved', [CURRENT_TYPE, ...UNAPPROVED], WRITTEN),
  locking: write<EntryUpdate & ReferenceLocks, object>()(
    'entries.update_unapproved_guarded',
    [...CURRENT_TYPE_AND_REFERRED, ...UNAPPROVED],
    WRITTEN,
  ),
  localized: write<EntryUpdate & ReferenceLocks & LocaleWrite, object>()(
    'entries.update_unapproved_localized',
    [
      ...CURRENT_TYPE_AND_REFERRED,
      ...updated('type', { set: ', unapproved = version + 1', and: PREPARED_AS_READ }),
      ...WRITE_DOCUMENTS,
    ],
    WRITTEN,
  ),
};

/**
 * `isDrafted` must be as it was read: otherwise the statement would not see a review that was asked for meanwhile. A draft that the entry has keeps
 * its review.
 */
const firstPublished = <const And extends string>(and: And) =>
  [
    ...updated('type', {
      set: ', unapproved = NULL',
      and: ` AND (drafted IS TRUE) = :isDrafted::boolean${and}` as const,
    }),
    part(
      'ended_review',
      `UPDATE entry_drafts x SET ${FINISHED} FROM entry
    WHERE :isDrafted::boolean AND x.tenant_id = :tenantId AND x.content_type_id = :typeId AND x.entry_id = :entryId
      AND x.fields IS NULL AND (x.review_at IS NOT NULL OR x.saved_by IS NOT NULL)`,
      { of: 'entry', needs: ['isDrafted'] },
    ),
  ] as const;

const FIRST_PUBLISHED = firstPublished('');

export type FirstPublication = EntryUpdate & Pick<EntryForWrite, 'isDrafted'>;

/** An update that publishes an entry. It ends the review of the entry. */
export const PUBLISH_ENTRY: WriteStatement<FirstPublication> = {
  plain: write<FirstPublication, object>()('entries.publish', [CURRENT_TYPE, ...FIRST_PUBLISHED], WRITTEN),
  locking: write<FirstPublication & ReferenceLocks, object>()(
    'entries.publish_guarded',
    [...CURRENT_TYPE_AND_REFERRED, ...FIRST_PUBLISHED],
    WRITTEN,
  ),
  localized: write<FirstPublication & ReferenceLocks & LocaleWrite, object>()(
    'entries.publish_localized',
    [...CURRENT_TYPE_AND_REFERRED, ...firstPublished(PREPARED_AS_READ), ...WRITE_DOCUMENTS],
    WRITTEN,
  ),
};

/**
 * Makes the values of the draft those of the entry, if the draft is still the one that was read. `set` is as in `updated`, and `setDraft` says what
 * becomes of the draft. Locks the entry before the draft, as every write does that writes both.
 */
const withDraft = <const Set extends string, const SetDraft extends string, const And extends string = ''>(
  set: Set,
  setDraft: SetDraft,
  and: And = '' as And,
) =>
  [
    part(
      'locked_entry',
      `SELECT 1 FROM entries
    WHERE tenant_id = :tenantId AND content_type_id = :typeId AND id = :entryId AND version = :version
      AND EXISTS (SELECT FROM type)
    FOR NO KEY UPDATE`,
      { of: 'type' },
    ),
    part(
      'draft',
      `SELECT 1 FROM entry_drafts
    WHERE tenant_id = :tenantId AND content_type_id = :typeId AND entry_id = :entryId AND number = :draftNumber
      AND fields IS NOT NULL AND EXISTS (SELECT FROM locked_entry)
    FOR NO KEY UPDATE`,
      { of: 'locked_entry' },
    ),
    ...updated('draft', { set, and }),
    part(
      'removed_draft',
      `UPDATE entry_drafts x SET ${setDraft} FROM entry
    WHERE x.tenant_id = :tenantId AND x.content_type_id = :typeId AND x.entry_id = :entryId`,
      { of: 'entry' },
    ),
  ] as const;

const PUBLISHED = withDraft(', unapproved = NULL', `${NO_DRAFT}, unapproved = NULL`);
const PUBLISHED_AS_READ = withDraft(', unapproved = NULL', `${NO_DRAFT}, unapproved = NULL`, PREPARED_AS_READ);

export type FoldedDraft = EntryUpdate & { draftNumber: number };

/** An update that makes the draft live. */
export const PUBLISH_DRAFT: WriteStatement<FoldedDraft> = {
  plain: write<FoldedDraft, object>()('entries.publish_draft', [CURRENT_TYPE, ...PUBLISHED], WRITTEN),
  locking: write<FoldedDraft & ReferenceLocks, object>()(
    'entries.publish_draft_guarded',
    [...CURRENT_TYPE_AND_REFERRED, ...PUBLISHED],
    WRITTEN,
  ),
  localized: write<FoldedDraft & ReferenceLocks & LocaleWrite, object>()(
    'entries.publish_draft_localized',
    [...CURRENT_TYPE_AND_REFERRED, ...PUBLISHED_AS_READ, ...WRITE_DOCUMENTS],
    WRITTEN,
  ),
};

const PART_PUBLISHED = withDraft(
  ', unapproved = NULL',
  `fields = :restFields::text::json, bases = :restBases::text::json, size = octet_length(:restFields::text), number = x.number + 1,
    updated_at = :at::timestamptz, ${NO_REVIEW}`,
);
const PART_PUBLISHED_AS_READ = withDraft(
  ', unapproved = NULL',
  `fields = :restFields::text::json, bases = :restBases::text::json, size = octet_length(:restFields::text), number = x.number + 1,
    updated_at = :at::timestamptz, ${NO_REVIEW}`,
  PREPARED_AS_READ,
);

/** What is left of a draft of which some locales are published. */
type PublishedPart = FoldedDraft & { restFields: string; restBases: string };

/** An update that makes a part of the draft live, and leaves the rest. */
export const PUBLISH_PART: WriteStatement<PublishedPart> = {
  plain: write<PublishedPart, object>()('entries.publish_part', [CURRENT_TYPE, ...PART_PUBLISHED], WRITTEN),
  locking: write<PublishedPart & ReferenceLocks, object>()(
    'entries.publish_part_guarded',
    [...CURRENT_TYPE_AND_REFERRED, ...PART_PUBLISHED],
    WRITTEN,
  ),
  localized: write<PublishedPart & ReferenceLocks & LocaleWrite, object>()(
    'entries.publish_part_localized',
    [...CURRENT_TYPE_AND_REFERRED, ...PART_PUBLISHED_AS_READ, ...WRITE_DOCUMENTS],
    WRITTEN,
  ),
};

const DRAFT_APPLIED = `${NO_DRAFT_VALUES}, number = x.number + 1` as const;
const APPLIED = withDraft('', DRAFT_APPLIED);
const APPLIED_AS_READ = withDraft('', DRAFT_APPLIED, PREPARED_AS_READ);

/**
 * An update that folds the draft into an entry that is not published. A review goes on: the entry is then its own draft. The draft keeps
 * `unapproved`, because a schedule that was set for the draft publishes the same values as before.
 */
export const APPLY_DRAFT: WriteStatement<FoldedDraft> = {
  plain: write<FoldedDraft, object>()('entries.apply_draft', [CURRENT_TYPE, ...APPLIED], WRITTEN),
  locking: write<FoldedDraft & ReferenceLocks, object>()(
    'entries.apply_draft_guarded',
    [...CURRENT_TYPE_AND_REFERRED, ...APPLIED],
    WRITTEN,
  ),
  localized: write<FoldedDraft & ReferenceLocks & LocaleWrite, object>()(
    'entries.apply_draft_localized',
    [...CURRENT_TYPE_AND_REFERRED, ...APPLIED_AS_READ, ...WRITE_DOCUMENTS],
    WRITTEN,
  ),
};

const APPLIED_UNAPPROVED = withDraft(', unapproved = version + 1', DRAFT_APPLIED);
const APPLIED_UNAPPROVED_AS_READ = withDraft(', unapproved = version + 1', DRAFT_APPLIED, PREPARED_AS_READ);

/** The same by somebody who may not publish, over values that were changed since: a schedule that was set before does not publish the result. */
export const APPLY_DRAFT_UNAPPROVED: WriteStatement<FoldedDraft> = {
  plain: write<FoldedDraft, object>()('entries.apply_draft_unapproved', [CURRENT_TYPE, ...APPLIED_UNAPPROVED], WRITTEN),
  locking: write<FoldedDraft & ReferenceLocks, object>()(
    'entries.apply_draft_unapproved_guarded',
    [...CURRENT_TYPE_AND_REFERRED, ...APPLIED_UNAPPROVED],
    WRITTEN,
  ),
  localized: write<FoldedDraft & ReferenceLocks & LocaleWrite, object>()(
    'entries.apply_draft_unapproved_localized',
    [...CURRENT_TYPE_AND_REFERRED, ...APPLIED_UNAPPROVED_AS_READ, ...WRITE_DOCUMENTS],
    WRITTEN,
  ),
};
