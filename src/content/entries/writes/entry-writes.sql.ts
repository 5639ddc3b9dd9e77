import { type AuditParameter, recordChange } from '../../../audit/record-changes.js';
import { COUNT_SHARD, RANDOM_STATE } from '../../../database/count-shard.js';
import { type Statement, statement } from '../../../database/statement.js';
import { insert, part, rowOf, write } from '../../../database/write.js';
import type { TextArray } from '../../../database/text-array.js';
import {
  LAST_EVENT_ID,
  recordVersion,
  recordVersionEvents,
  type VersionParameters,
} from '../../../events/event-recorder.js';
import { removeDue } from '../../../due/due-work.sql.js';
import { SCHEDULE } from '../../schedules/schedule-kind.js';
import type { EntryStatus } from '../entry.entity.js';
import { liveFields } from '../live-fields.js';
import type { EntryForWrite } from '../entries.sql.js';

/*
 * A write of an entry is one statement. It locks the content type's row in the version that the values were validated against. If that version is no
 * longer current, the statement does nothing. Otherwise it writes the entry, its index rows, its counter, its events and the record of the audit log.
 */

/** The amounts by which a write changes the numbers of drafts and of published entries. */
interface CountChange {
  drafts: number;
  published: number;
}

/** Rows of the value index, as three arrays of equal length. */
export interface AddedValues {
  addedFields: TextArray;
  addedKeys: TextArray;
  addedDiscriminators: TextArray;
}

export interface RemovedValues {
  removedFields: TextArray;
  removedKeys: TextArray;
  removedDiscriminators: TextArray;
}

/** The document of full-text search (see `SearchDocument`). */
export interface DocumentColumns {
  words: Buffer | null;
  gaps: number;
  sequence: string | null;
}

/** Words that the dictionary of the type may lack, sorted, and the number of characters of each. */
export interface NewWords {
  newWords: TextArray;
  newLengths: readonly number[];
}

/** Rows of the index of unique values, as two arrays of equal length. */
export interface AddedUniques {
  addedUniqueFields: TextArray;
  addedUniqueValues: TextArray;
}

export interface RemovedUniques {
  removedUniqueFields: TextArray;
  removedUniqueValues: TextArray;
}

/** A schema change locks the row FOR UPDATE. It waits for running writes, and later writes find another version. */
export const TYPE = part(
  'type',
  'SELECT 1 FROM content_types WHERE tenant_id = :tenantId AND id = :typeId AND version = :typeVersion FOR KEY SHARE',
);

/** References that a write adds in fields with `on_delete`: every content type and entry that one of them may lead to. */
export interface ReferenceLocks {
  lockTypes: TextArray;
  lockIds: TextArray;
  /** The number of different entries that they lead to. */
  lockCount: number;
}

const REFERRED = `SELECT e.id FROM unnest(:lockTypes::uuid[], :lockIds::uuid[]) AS r (type, id)
    CROSS JOIN LATERAL (
      SELECT x.id FROM entries x WHERE x.tenant_id = :tenantId AND x.content_type_id = r.type AND x.id = r.id FOR KEY SHARE
    ) e` as const;

/** Locks the entries until the commit. Returns how many there are. */
export const LOCK_REFERRED = statement<Omit<ReferenceLocks, 'lockCount'>, { locked: number }>()(
  'entries.lock_referred',
  `SELECT count(DISTINCT id)::int AS locked FROM (${REFERRED}) AS referred`,
);

/**
 * Like `TYPE`, if all guarded references lead to entries. It locks these until the commit. A deletion of one of them waits for the write and
 * then finds its reference; or the write waits for the deletion, and then changes nothing. Writes do not wait for each other.
 */
const TYPE_AND_REFERRED = [
  { ...TYPE, name: 'current_type' },
  part('referred', `${REFERRED} WHERE EXISTS (SELECT FROM current_type)`, {
    of: 'current_type',
    returns: { id: 'uuid' },
    isMany: true,
  }),
  part('type', 'SELECT 1 FROM current_type WHERE (SELECT count(DISTINCT id) FROM referred) = :lockCount::int', {
    of: 'current_type',
    reads: ['referred'],
  }),
] as const;

/** A write of an entry. `locking` is for a write that adds references in fields with `on_delete`; others pay nothing for these. */
export interface WriteStatement<Parameters> {
  plain: Statement<Parameters, object>;
  locking: Statement<Parameters & ReferenceLocks, object>;
}

/** Every write changes the state, also if it changes neither number. */
export const count = <const Source extends string = never>(source?: Source) =>
  insert(
    'counted',
    `INSERT INTO entry_counts AS c (tenant_id, content_type_id, shard, drafts, published, state)
    ${rowOf(`:tenantId, :typeId, ${COUNT_SHARD}, :drafts::int, :published::int, ${RANDOM_STATE}`, source)}
    ON CONFLICT (tenant_id, content_type_id, shard)
    DO UPDATE SET drafts = c.drafts + excluded.drafts, published = c.published + excluded.published, state = excluded.state`,
  );

/**
 * Adds words to the dictionary of the type. A write with the same new word waits for this one, so this part must be the first one that
 * no other part uses: it is carried out last, when everything else is locked. The words are sorted. Their lengths are given and not computed,
 * so that a distributed database inserts VALUES (docs/decisions/distributed-writes.md).
 */
export const learnWords = <const From extends string>(from: From) =>
  insert(
    'learned',
    `INSERT INTO search_words (tenant_id, content_type_id, length, word)
    SELECT :tenantId, :typeId, w.length, w.word
    FROM ${from}unnest(:newWords::text[], :newLengths::smallint[]) AS w (word, length)
    ON CONFLICT DO NOTHING`,
  );

const ADD_VALUES = insert(
  'valued',
  `INSERT INTO entry_values (tenant_id, content_type_id, field, sort_key, discriminator, entry_id)
      SELECT :tenantId, :typeId, v.field, v.key, v.discriminator, :entryId
      FROM entry, unnest(:addedFields::text[], :addedKeys::text[], :addedDiscriminators::text[]) AS v (field, key, discriminator)`,
);

const REMOVE_VALUES = part(
  'unvalued',
  `DELETE FROM entry_values x
    USING entry, unnest(:removedFields::text[], :removedKeys::text[], :removedDiscriminators::text[]) AS v (field, key, discriminator)
    WHERE x.tenant_id = :tenantId AND x.content_type_id = :typeId AND x.field = v.field AND x.sort_key = v.key AND x.discriminator = v.discriminator
      AND x.entry_id = :entryId`,
  { of: 'entry', needs: ['removedFields'] },
);

const ADD_UNIQUES = insert(
  'claimed',
  `INSERT INTO entry_uniques (tenant_id, content_type_id, field, value, entry_id)
      SELECT :tenantId, :typeId, u.field, u.value, :entryId
      FROM entry, unnest(:addedUniqueFields::text[], :addedUniqueValues::text[]) AS u (field, value)`,
);

const REMOVE_UNIQUES = part(
  'released',
  `DELETE FROM entry_uniques x
    USING entry, unnest(:removedUniqueFields::text[], :removedUniqueValues::text[]) AS u (field, value)
    WHERE x.tenant_id = :tenantId AND x.content_type_id = :typeId AND x.field = u.field AND x.value = u.value
      AND x.entry_id = :entryId`,
  { of: 'entry', needs: ['removedUniqueFields'] },
);

/** SQL that removes a draft but keeps its row, which has the number that the next draft continues. */
export const NO_DRAFT =
  'fields = NULL, bases = NULL, size = NULL, base_version = NULL, created_at = NULL, updated_at = NULL';

/** What `presentEntry` writes before and after the values, so that they are sent once. */
interface Presented {
  head: string;
  tail: string;
}

const PRESENTED = 'concat(:head::text, :fields::text, :tail::text)';

/** The parameters of all statements that write one entry. */
interface CommonParameters extends CountChange, VersionParameters, AuditParameter, Presented {
  typeId: string;
  typeVersion: number;
  entryId: string;
}

/** The parameters of a statement that writes one entry and its values. `words` is null if the search document is unchanged. */
export interface EntryParameters
  extends CommonParameters, AddedValues, RemovedValues, AddedUniques, RemovedUniques, DocumentColumns {
  fields: string;
  status: EntryStatus;
  publishedAt: string | null;
}

/** The entry, if there was no change of its type. */
const WRITTEN = { columns: '1', of: 'entry' } as const;

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
    'worded',
    `INSERT INTO entry_words (tenant_id, content_type_id, entry_id, words, gaps, sequence)
      SELECT :tenantId, :typeId, :entryId, :words::tsvector, :gaps::smallint, :sequence
      FROM entry`,
  ),
  ADD_VALUES,
  ADD_UNIQUES,
  count('entry'),
  ...recordVersion('entry', { resource: ':entryId::uuid', number: '1', form: ':typeVersion::int', data: PRESENTED }),
  recordChange('entry'),
] as const;

export const CREATE_ENTRY: WriteStatement<Creation> = {
  plain: write<Creation, object>()('entries.create', [TYPE, ...CREATED], WRITTEN),
  locking: write<Creation & ReferenceLocks, object>()(
    'entries.create_guarded',
    [...TYPE_AND_REFERRED, ...CREATED],
    WRITTEN,
  ),
};

/** `version` is the one that was read. */
type Update = EntryParameters & NewWords & { version: number };

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
      'worded',
      `UPDATE entry_words x SET words = :words::tsvector, gaps = :gaps::smallint, sequence = :sequence FROM entry
    WHERE :words::tsvector IS NOT NULL AND x.tenant_id = :tenantId AND x.content_type_id = :typeId AND x.entry_id = :entryId`,
      { of: 'entry', needs: ['words'] },
    ),
    REMOVE_VALUES,
    ADD_VALUES,
    REMOVE_UNIQUES,
    ADD_UNIQUES,
    count('entry'),
    ...recordVersion('entry', {
      resource: ':entryId::uuid',
      number: ':version::int + 1',
      form: ':typeVersion::int',
      data: PRESENTED,
    }),
    recordChange('entry'),
  ] as const;

const UPDATED = updated('type');

export const UPDATE_ENTRY: WriteStatement<Update> = {
  plain: write<Update, object>()('entries.update', [TYPE, ...UPDATED], WRITTEN),
  locking: write<Update & ReferenceLocks, object>()(
    'entries.update_guarded',
    [...TYPE_AND_REFERRED, ...UPDATED],
    WRITTEN,
  ),
};

/** Locks the entry before the draft, as every write does that writes both. */
const PUBLISHED = [
  part(
    'held',
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
      AND fields IS NOT NULL AND EXISTS (SELECT FROM held)
    FOR NO KEY UPDATE`,
    { of: 'held' },
  ),
  ...updated('draft'),
  part(
    'discarded',
    `UPDATE entry_drafts x SET ${NO_DRAFT} FROM entry
    WHERE x.tenant_id = :tenantId AND x.content_type_id = :typeId AND x.entry_id = :entryId`,
    { of: 'entry' },
  ),
] as const;

type Publication = Update & { draftNumber: number };

/** An update that makes the draft live, if the draft is still the one that was read. */
export const PUBLISH_DRAFT: WriteStatement<Publication> = {
  plain: write<Publication, object>()('entries.publish_draft', [TYPE, ...PUBLISHED], WRITTEN),
  locking: write<Publication & ReferenceLocks, object>()(
    'entries.publish_draft_guarded',
    [...TYPE_AND_REFERRED, ...PUBLISHED],
    WRITTEN,
  ),
};

export type Deletion = CommonParameters &
  RemovedUniques &
  Pick<EntryForWrite, 'version' | 'isDrafted' | 'schedules' | 'preparedOf'>;

/**
 * The last state has a version already, unless a change of the type's fields has changed the values since.
 *
 * `isDrafted`, `schedules` and `preparedOf` must be as they were read: otherwise the statement would not see rows that were added to
 * `entry_drafts`, `entry_schedules`, `due_work` and `entry_values` meanwhile.
 */
export const DELETE_ENTRY = write<Deletion, object>()(
  'entries.delete',
  [
    TYPE,
    part(
      'entry',
      `DELETE FROM entries
    WHERE tenant_id = :tenantId AND content_type_id = :typeId AND id = :entryId::uuid AND version = :version
      AND (drafted IS TRUE) = :isDrafted::boolean AND coalesce(schedules, 0) = :schedules::int
      AND next_of IS NOT DISTINCT FROM :preparedOf::int AND EXISTS (SELECT FROM type)
    RETURNING ${liveFields('entries', ':typeId')} AS fields`,
      { of: 'type', returns: { fields: 'text' } },
    ),
    insert(
      'versioned',
      `INSERT INTO versions (tenant_id, resource_id, number, summary, data, at, event_id)
      SELECT :tenantId, :entryId::uuid, :version::int, :summary, concat(:head::text, entry.fields, :tail::text), :at::timestamptz, ${LAST_EVENT_ID}
      FROM entry
      ON CONFLICT DO NOTHING`,
    ),
    part(
      'unworded',
      `DELETE FROM entry_words x USING entry
    WHERE x.tenant_id = :tenantId AND x.content_type_id = :typeId AND x.entry_id = :entryId`,
      { of: 'entry' },
    ),
    part(
      'unvalued',
      `DELETE FROM entry_values x USING entry
    WHERE x.tenant_id = :tenantId AND x.content_type_id = :typeId AND x.entry_id = :entryId`,
      { of: 'entry' },
    ),
    part(
      'undrafted',
      `DELETE FROM entry_drafts x USING entry
    WHERE :isDrafted::boolean AND x.tenant_id = :tenantId AND x.content_type_id = :typeId AND x.entry_id = :entryId`,
      { of: 'entry', needs: ['isDrafted'] },
    ),
    part(
      'scheduled',
      `DELETE FROM entry_schedules x USING entry
    WHERE :schedules::int > 0 AND x.tenant_id = :tenantId AND x.entry_id = :entryId
    RETURNING x.entry_id`,
      { of: 'entry', needs: ['schedules'], returns: { entry_id: 'uuid' } },
    ),
    removeDue('scheduled', { kind: SCHEDULE, key: 'scheduled.entry_id' }),
    REMOVE_UNIQUES,
    count('entry'),
    ...recordVersionEvents('entry', { resource: ':entryId::uuid', number: ':version::int' }),
    recordChange('entry'),
  ],
  WRITTEN,
);
