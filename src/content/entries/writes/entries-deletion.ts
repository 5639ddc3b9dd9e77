import { recordChanges } from '../../../audit/record-changes.js';
import type { Transaction } from '../../../database/transaction.js';
import { statement } from '../../../database/statements/statement.js';
import { either, insert, part, write } from '../../../database/statements/write.js';
import { removeJob } from '../../../scheduled-jobs/scheduled-jobs.sql.js';
import { markPending } from '../../../events/event-recorder.js';
import { formatId, newUuid } from '../../../ids/type-id.js';
import { UNLISTED } from '../../history/entry-version.js';
import { SCHEDULE } from '../../schedules/schedule-kind.js';
import { liveFields } from '../live-fields.js';
import { presentEntrySql } from '../entry-presenter.js';
import type { TenantAuthor } from './entry-writer.js';

const BATCH = 500;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

const NEXT_ENTRIES = statement<{ typeId: string; after: string }, { id: string }>()(
  'entries.next',
  `SELECT id FROM entries WHERE tenant_id = :tenantId AND content_type_id = :typeId AND id > :after ORDER BY id LIMIT ${BATCH}`,
);

interface Deletion {
  typeId: string;
  publicTypeId: string;
  ids: readonly string[];
  publicIds: readonly string[];
  eventIds: readonly string[];
  summary: string;
  at: string;
}

/** The present state of the entries of the part `from`, in the form of the API. */
const stated = <const From extends string>(from: From) =>
  `(
      SELECT n.entry_id, n.version, n.event_id, ${presentEntrySql('e', 'n.public_id', ':publicTypeId::text')} AS data
      FROM ${from} n CROSS JOIN LATERAL (
        SELECT ${liveFields('entries', ':typeId')} AS fields, status, created_at, updated_at FROM entries
        WHERE tenant_id = :tenantId AND content_type_id = :typeId AND id = n.entry_id OFFSET 0
      ) AS e OFFSET 0
    ) AS state` as const;

const LACKING = { entry_id: 'uuid', public_id: 'text', event_id: 'uuid', version: 'int' };

/**
 * Records the deletion of entries. An entry whose last state has no version, because a change of the type's fields has changed its values
 * since, gets one. The database builds its data, because a batch of the largest entries would not fit into memory. Citus inserts into one shard
 * only what does not come from another table, so the data are an update there.
 */
const RECORD_DELETED = write<Deletion, never>()('entries.record_deleted', [
  part(
    'deleted',
    `SELECT n.entry_id, n.public_id, n.event_id, e.version
      FROM unnest(:ids::uuid[], :publicIds::text[], :eventIds::uuid[]) AS n (entry_id, public_id, event_id)
      CROSS JOIN LATERAL (
        SELECT version FROM entries WHERE tenant_id = :tenantId AND content_type_id = :typeId AND id = n.entry_id OFFSET 0
      ) AS e`,
    { returns: LACKING, isMany: true },
  ),
  part(
    'lacking',
    `SELECT d.entry_id, d.public_id, d.event_id, d.version FROM deleted d WHERE NOT EXISTS (
        SELECT FROM versions v WHERE v.tenant_id = :tenantId AND v.resource_id = d.entry_id AND v.number = d.version OFFSET 0
      )`,
    { of: 'deleted', returns: LACKING, isMany: true },
  ),
  either(
    part(
      'versioned',
      `INSERT INTO versions (tenant_id, resource_id, number, summary, data, at, event_id)
      SELECT :tenantId, state.entry_id, state.version, :summary, state.data, :at::timestamptz, state.event_id FROM ${stated('lacking')}`,
      { of: 'lacking' },
    ),
    insert(
      'versioned',
      `INSERT INTO versions (tenant_id, resource_id, number, summary, data, at, event_id)
      SELECT :tenantId, lacking.entry_id, lacking.version, :summary, '', :at::timestamptz, lacking.event_id
      FROM lacking
      RETURNING resource_id`,
      { returns: { resource_id: 'uuid' }, isMany: true },
    ),
  ),
  either(
    undefined,
    part(
      'filled',
      `UPDATE versions v SET data = state.data FROM ${stated('lacking')}
      WHERE v.tenant_id = :tenantId AND v.resource_id = state.entry_id AND v.number = state.version`,
      { of: 'lacking', reads: ['versioned'] },
    ),
  ),
  insert(
    'recorded',
    `INSERT INTO events (tenant_id, id, type, resource_id, version, occurred_at)
      SELECT :tenantId, deleted.event_id, 'entry.deleted', deleted.entry_id, deleted.version, :at::timestamptz
      FROM deleted`,
  ),
  ...markPending('deleted', 'deleted', 'deleted.event_id'),
]);

/** The work that is due for the schedules of a type's entries. */
const DELETE_DUE = write<{ typeId: string }, never>()('entry_schedules.delete_due_of_type', [
  part('scheduled', 'SELECT entry_id FROM entry_schedules WHERE tenant_id = :tenantId AND content_type_id = :typeId', {
    returns: { entry_id: 'uuid' },
    isMany: true,
  }),
  removeJob('scheduled', { kind: SCHEDULE, key: 'scheduled.entry_id' }),
]);

const DELETIONS = [
  'entry_schedules',
  'entry_words',
  'search_words',
  'entry_values',
  'entry_uniques',
  'entry_counts',
  'entry_drafts',
  'content_type_moves',
  'schema_changes',
  'entries',
].map((table) =>
  statement<{ typeId: string }, never>()(
    `${table}.delete_of_type`,
    `DELETE FROM ${table} WHERE tenant_id = :tenantId AND content_type_id = :typeId`,
  ),
);

const OF_TYPE = 'tenant_id = :tenantId AND content_type_id = :typeId';

/** Entries that are deleted together, which the transaction has locked. Their unique values, counts and events are not included. */
export const DELETE_ENTRIES = write<{ typeId: string; entryIds: readonly string[] }, never>()('entries.delete_many', [
  part('entry', `DELETE FROM entries WHERE ${OF_TYPE} AND id = ANY (:entryIds::uuid[])`),
  part('removed_document', `DELETE FROM entry_words WHERE ${OF_TYPE} AND entry_id = ANY (:entryIds::uuid[])`),
  part('removed_values', `DELETE FROM entry_values WHERE ${OF_TYPE} AND entry_id = ANY (:entryIds::uuid[])`),
  part('removed_draft', `DELETE FROM entry_drafts WHERE ${OF_TYPE} AND entry_id = ANY (:entryIds::uuid[])`),
  part(
    'removed_schedules',
    'DELETE FROM entry_schedules WHERE tenant_id = :tenantId AND entry_id = ANY (:entryIds::uuid[]) RETURNING entry_id',
    { returns: { entry_id: 'uuid' }, isMany: true },
  ),
  removeJob('removed_schedules', { kind: SCHEDULE, key: 'removed_schedules.entry_id' }),
]);

/**
 * Deletes every entry of a content type. The transaction must have locked the type's row. Each entry emits `entry.deleted` with its last
 * state, and has a record in the audit log.
 */
export async function deleteEntries(transaction: Transaction, by: TenantAuthor, typeId: string): Promise<void> {
  const { tenantId } = by;
  const at = new Date().toISOString();
  const publicTypeId = formatId('ct', typeId);
  for (let after = FIRST_ID; ;) {
    const rows = await transaction.query(tenantId, NEXT_ENTRIES, { typeId, after });
    const last = rows.at(-1);
    if (!last) break;
    const ids = rows.map(({ id }) => id);
    const publicIds = ids.map((id) => formatId('ent', id));
    const eventIds = ids.map(() => newUuid());
    await transaction.query(tenantId, RECORD_DELETED, {
      typeId,
      publicTypeId,
      ids,
      publicIds,
      eventIds,
      summary: UNLISTED,
      at,
    });
    const changes = publicIds.map((id) => ({ action: 'deleted', resource: { type: 'entry', id } }));
    await recordChanges(transaction, tenantId, by, changes);
    if (rows.length < BATCH) break;
    after = last.id;
  }
  await transaction.query(tenantId, DELETE_DUE, { typeId });
  for (const deletion of DELETIONS) await transaction.query(tenantId, deletion, { typeId });
}
