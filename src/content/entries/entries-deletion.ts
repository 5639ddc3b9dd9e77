import type { Transaction } from '../../database/database.js';
import type { EventRecorder } from '../../events/event-recorder.js';
import { type EntryRow, presentEntry } from './entry-presenter.js';

const BATCH = 500;

const NEXT_ENTRIES = {
  name: 'entries.next',
  text: `SELECT id, fields, status, created_at, updated_at FROM entries
    WHERE tenant_id = $1 AND content_type_id = $2 AND id > $3 ORDER BY id LIMIT ${BATCH}`,
};

const TABLES = ['entry_words', 'entry_values', 'entry_uniques', 'entry_counts', 'entries'];

/** Deletes every entry of a content type whose row the transaction has locked; each emits `entry.deleted` with its last state. */
export async function deleteEntries(
  transaction: Transaction,
  events: EventRecorder,
  tenantId: string,
  typeId: string,
): Promise<void> {
  const at = new Date();
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const rows = await transaction.query<EntryRow>(tenantId, NEXT_ENTRIES, [typeId, after]);
    await events.record(
      transaction,
      tenantId,
      rows.map((row) => ({ type: 'entry.deleted', data: presentEntry(typeId, row), at })),
    );
    const last = rows.at(-1);
    if (!last || rows.length < BATCH) break;
    after = last.id;
  }
  for (const table of TABLES) {
    await transaction.query(tenantId, `DELETE FROM ${table} WHERE tenant_id = $1 AND content_type_id = $2`, [typeId]);
  }
}
