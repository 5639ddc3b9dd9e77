import { recordChange } from '../../../audit/record-changes.js';
import { insert, write } from '../../../database/statements/write.js';
import { recordVersion } from '../../../events/event-recorder.js';
import { type DocumentParameters, WRITE_DOCUMENTS } from '../../words/locale-words.sql.js';
import {
  ADD_UNIQUES,
  ADD_VALUES,
  countEntries,
  type EntryParameters,
  learnWords,
  type NewWords,
  PRESENTED,
  STORED,
  type ReferenceLocks,
  type RemovedUniques,
  type RemovedValues,
  CURRENT_TYPE,
  CURRENT_TYPE_AND_REFERRED,
  WRITTEN,
  type WriteStatement,
} from './entry-parts.sql.js';

type Creation = Omit<EntryParameters, keyof (RemovedValues & RemovedUniques)> & NewWords;

/** After the parts that lock the type. */
const CREATED = [
  insert(
    'entry',
    `INSERT INTO entries (tenant_id, content_type_id, id, fields, size, status, version, created_at, updated_at, published_at)
      SELECT :tenantId, :typeId, :entryId::uuid, :fields::text::json, octet_length(:fields::text), :status, 1, :at::timestamptz,
      :at::timestamptz, :publishedAt::timestamptz
      FROM type
      RETURNING 1`,
  ),
  learnWords('entry, '),
  insert(
    'search_document',
    `INSERT INTO entry_words (tenant_id, content_type_id, entry_id, words, gaps, sequence)
      SELECT :tenantId, :typeId, :entryId, :words::tsvector, :gaps::smallint, :sequence
      FROM entry`,
  ),
  ADD_VALUES,
  ADD_UNIQUES,
  countEntries('entry'),
  ...recordVersion('entry', {
    resource: ':entryId::uuid',
    number: '1',
    schemaVersion: ':typeVersion::int',
    data: PRESENTED,
    stored: STORED,
  }),
  recordChange('entry'),
] as const;

export const CREATE_ENTRY: WriteStatement<Creation> = {
  plain: write<Creation, object>()('entries.create', [CURRENT_TYPE, ...CREATED], WRITTEN),
  locking: write<Creation & ReferenceLocks, object>()(
    'entries.create_guarded',
    [...CURRENT_TYPE_AND_REFERRED, ...CREATED],
    WRITTEN,
  ),
  localized: write<Creation & ReferenceLocks & DocumentParameters, object>()(
    'entries.create_localized',
    [...CURRENT_TYPE_AND_REFERRED, ...CREATED, ...WRITE_DOCUMENTS],
    WRITTEN,
  ),
};
