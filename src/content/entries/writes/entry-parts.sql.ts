import type { AuditParameter } from '../../../audit/record-changes.js';
import { COUNT_SHARD, RANDOM_STATE } from '../../../database/statements/count-shard.js';
import { type Statement, statement } from '../../../database/statements/statement.js';
import type { TextArray } from '../../../database/statements/text-array.js';
import { insert, part, rowOf } from '../../../database/statements/write.js';
import type { VersionParameters } from '../../../events/event-recorder.js';
import type { EntryStatus } from '../entry.entity.js';
import type { DocumentParameters } from '../../words/locale-words.sql.js';

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
interface AddedValues {
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
interface DocumentColumns {
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
interface AddedUniques {
  addedUniqueFields: TextArray;
  addedUniqueValues: TextArray;
}

export interface RemovedUniques {
  removedUniqueFields: TextArray;
  removedUniqueValues: TextArray;
}

/** What `presentEntry` writes before and after the values, so that they are sent once. */
interface Presented {
  head: string;
  tail: string;
  /** What is presented in the place of values that are stored in several locales. Null: the values. */
  shownFields: string | null;
}

/** The parameters of all statements that write one entry. */
export interface CommonParameters extends CountChange, VersionParameters, AuditParameter, Presented {
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

/** A schema change locks the row FOR UPDATE. It waits for running writes, and later writes find another version. */
export const CURRENT_TYPE = part(
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
export const CURRENT_TYPE_AND_REFERRED = [
  { ...CURRENT_TYPE, name: 'current_type' },
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

/**
 * What a change of the type prepared of an entry must be as it was read, if the write changes documents in locales: otherwise it would not see those
 * that the change wrote meanwhile.
 */
export interface Preparation {
  preparedFrom: number | null;
}

export const PREPARED_AS_READ = ' AND prepared_from IS NOT DISTINCT FROM :preparedFrom::int';

/**
 * A write of an entry. `locking` is for a write that adds references in fields with `on_delete`, and `localized` for one that changes documents in
 * locales and may add such references; others pay nothing for these.
 */
export interface WriteStatement<Parameters> {
  plain: Statement<Parameters, object>;
  locking: Statement<Parameters & ReferenceLocks, object>;
  localized: Statement<Parameters & ReferenceLocks & DocumentParameters & Preparation, object>;
}

/** The locks of a write that adds no such reference. */
export const NO_LOCKS: ReferenceLocks = { lockTypes: [], lockIds: [], lockCount: 0 };

/** The entry, if there was no change of its type. */
export const WRITTEN = { columns: '1', of: 'entry' } as const;

/** Every write changes the state, also if it changes neither number. */
export const countEntries = <const Source extends string = never>(source?: Source) =>
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
    'new_words',
    `INSERT INTO search_words (tenant_id, content_type_id, length, word)
    SELECT :tenantId, :typeId, w.length, w.word
    FROM ${from}unnest(:newWords::text[], :newLengths::smallint[]) AS w (word, length)
    ON CONFLICT DO NOTHING`,
  );

export const ADD_VALUES = insert(
  'added_values',
  `INSERT INTO entry_values (tenant_id, content_type_id, field, sort_key, discriminator, entry_id)
      SELECT :tenantId, :typeId, v.field, v.key, v.discriminator, :entryId
      FROM entry, unnest(:addedFields::text[], :addedKeys::text[], :addedDiscriminators::text[]) AS v (field, key, discriminator)`,
);

export const REMOVE_VALUES = part(
  'removed_values',
  `DELETE FROM entry_values x
    USING entry, unnest(:removedFields::text[], :removedKeys::text[], :removedDiscriminators::text[]) AS v (field, key, discriminator)
    WHERE x.tenant_id = :tenantId AND x.content_type_id = :typeId AND x.field = v.field AND x.sort_key = v.key AND x.discriminator = v.discriminator
      AND x.entry_id = :entryId`,
  { of: 'entry', needs: ['removedFields'] },
);

export const ADD_UNIQUES = insert(
  'added_uniques',
  `INSERT INTO entry_uniques (tenant_id, content_type_id, field, value, entry_id)
      SELECT :tenantId, :typeId, u.field, u.value, :entryId
      FROM entry, unnest(:addedUniqueFields::text[], :addedUniqueValues::text[]) AS u (field, value)`,
);

export const REMOVE_UNIQUES = part(
  'removed_uniques',
  `DELETE FROM entry_uniques x
    USING entry, unnest(:removedUniqueFields::text[], :removedUniqueValues::text[]) AS u (field, value)
    WHERE x.tenant_id = :tenantId AND x.content_type_id = :typeId AND x.field = u.field AND x.value = u.value
      AND x.entry_id = :entryId`,
  { of: 'entry', needs: ['removedUniqueFields'] },
);

/** The data of the version. */
export const PRESENTED = 'concat(:head::text, coalesce(:shownFields::text, :fields::text), :tail::text)';

/** What the version stores besides: the values, if its data does not show all of them. */
export const STORED = 'CASE WHEN :shownFields::text IS NOT NULL THEN :fields::text END';

/** SQL that ends the review of a draft. */
export const NO_REVIEW = 'review_by = NULL, review_member = NULL, review_at = NULL, review_note = NULL';

/** SQL that removes the values of a draft but keeps its row, which has the number that the next draft continues. */
export const NO_DRAFT_VALUES =
  'fields = NULL, bases = NULL, size = NULL, base_version = NULL, created_at = NULL, updated_at = NULL';

/** SQL for a row without a draft whose entry is published: it waits for no review, and is nobody's unfinished work. */
export const FINISHED = `${NO_REVIEW}, saved_by = NULL, saved_at = NULL` as const;

/** Both. */
export const NO_DRAFT = `${NO_DRAFT_VALUES}, ${FINISHED}` as const;
