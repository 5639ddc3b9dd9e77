import { heavyWork } from '../../admission/heavy-work.js';
import type { Transaction } from '../../database/transaction.js';
import type { WrittenDocument } from '../words/document-changes.js';
import { documentBatches, documentColumns, PUT_DOCUMENTS, REMOVE_ALL_DOCUMENTS } from '../words/locale-words.sql.js';

/** All documents of an entry in locales. */
interface DocumentsOfEntry {
  id: string;
  documents: readonly (WrittenDocument & { id: string })[];
}

/** Replaces the documents of entries in locales. */
export async function writeDocumentsIn(
  transaction: Transaction,
  tenantId: string,
  typeId: string,
  entries: readonly DocumentsOfEntry[],
): Promise<void> {
  await transaction.query(tenantId, REMOVE_ALL_DOCUMENTS, { typeId, entryIds: entries.map(({ id }) => id) });
  for (const batch of documentBatches(entries.flatMap(({ documents }) => documents))) {
    const columns = await heavyWork.run(`changes/${tenantId}`, documentColumns(batch));
    await transaction.query(tenantId, PUT_DOCUMENTS, { typeId, ...columns });
  }
}
