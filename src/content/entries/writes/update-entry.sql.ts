import { recordChange } from '../../../audit/record-changes.js';
import { part, write } from '../../../database/statements/write.js';
import { recordVersion } from '../../../events/event-recorder.js';
import {
  ADD_UNIQUES,
  ADD_VALUES,
  countEntries,
  type EntryParameters,
  learnWords,
  type NewWords,
  NO_DRAFT,
  PRESENTED,
  type ReferenceLocks,
  REMOVE_UNIQUES,
  REMOVE_VALUES,
  CURRENT_TYPE,
  CURRENT_TYPE_AND_REFERRED,
  WRITTEN,
  type WriteStatement,
} from './entry-parts.sql.js';

/** `version` is the one that was read. */
export type EntryUpdate = EntryParameters & NewWords & { version: number };

/** Updates the entry only if it still has the version that was read, and if the part `condition` has a row. */
const updated = <const Condition extends string>(condition: Condition) =>
  [
    part(
      'entry',
      `UPDATE entries SET fields = :fields::text::json, size = octet_length(:fields::text), status = :status, version = version + 1,
      updated_at = :at::timestamptz, published_at = :publishedAt::timestamptz
    WHERE tenant_id = :tenantId AND content_type_id = :typeId AND id = :entryId::uuid AND version = :version
      AND EXISTS (SELECT FROM ${condition})
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
};

/** Locks the entry before the draft, as every write does that writes both. */
const PUBLISHED = [
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
  ...updated('draft'),
  part(
    'removed_draft',
    `UPDATE entry_drafts x SET ${NO_DRAFT} FROM entry
    WHERE x.tenant_id = :tenantId AND x.content_type_id = :typeId AND x.entry_id = :entryId`,
    { of: 'entry' },
  ),
] as const;

type Publication = EntryUpdate & { draftNumber: number };

/** An update that makes the draft live, if the draft is still the one that was read. */
export const PUBLISH_DRAFT: WriteStatement<Publication> = {
  plain: write<Publication, object>()('entries.publish_draft', [CURRENT_TYPE, ...PUBLISHED], WRITTEN),
  locking: write<Publication & ReferenceLocks, object>()(
    'entries.publish_draft_guarded',
    [...CURRENT_TYPE_AND_REFERRED, ...PUBLISHED],
    WRITTEN,
  ),
};
