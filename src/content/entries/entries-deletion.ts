import type { Transaction } from '../../database/database.js';
import { recordRows } from '../../events/event-recorder.js';
import { formatId, newUuid } from '../../ids/type-id.js';
import { presentEntrySql } from './entry-presenter.js';

const BATCH = 500;

const NEXT_ENTRIES = {
  name: 'entries.next',
  text: `SELECT id FROM entries WHERE tenant_id = $1 AND content_type_id = $2 AND id > $3 ORDER BY id LIMIT ${BATCH}`,
};

/**
 * Records the deletion of the entries `$3`, whose public ids are `$4`, as the events `$5` at `$6`; `$7` is the type's public id. The events'
 * data is made in the database: a batch of the largest entries would not fit into the process.
 */
const RECORD_DELETED = {
  name: 'entries.record_deleted',
  text: recordRows(`SELECT n.event_id AS id, 'entry.deleted' AS type, ${presentEntrySql('e', 'n.public_id', '$7::text')} AS data,
        $6::timestamptz AS at
      FROM unnest($3::uuid[], $4::text[], $5::uuid[]) AS n (entry_id, public_id, event_id)
      CROSS JOIN LATERAL (
        SELECT fields, status, created_at, updated_at FROM entries
        WHERE tenant_id = $1 AND content_type_id = $2 AND id = n.entry_id OFFSET 0
      ) AS e`),
};

const TABLES = ['entry_words', 'entry_values', 'entry_uniques', 'entry_counts', 'entries'];

/** Deletes every entry of a content type whose row the transaction has locked; each emits `entry.deleted` with its last state. */
export async function deleteEntries(transaction: Transaction, tenantId: string, typeId: string): Promise<void> {
  const at = new Date();
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const rows = await transaction.query<{ id: string }>(tenantId, NEXT_ENTRIES, [typeId, after]);
    const last = rows.at(-1);
    if (!last) break;
    await transaction.query(tenantId, RECORD_DELETED, [
      ...[typeId, rows.map(({ id }) => id), rows.map(({ id }) => formatId('ent', id)), rows.map(() => newUuid())],
      ...[at, formatId('ct', typeId)],
    ]);
    if (rows.length < BATCH) break;
    after = last.id;
  }
  for (const table of TABLES) {
    await transaction.query(tenantId, `DELETE FROM ${table} WHERE tenant_id = $1 AND content_type_id = $2`, [typeId]);
  }
}
