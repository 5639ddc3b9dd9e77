import { statement } from '../../database/statements/statement.js';
import type { LargeStatements } from '../../lists/large-json.js';
import type { EntryRow } from '../entries/entry-presenter.js';
import { liveFields } from '../entries/live-fields.js';

type OfType = { typeId: string; ids: readonly string[] };
const BY_IDS = 'FROM entries WHERE tenant_id = :tenantId AND content_type_id = :typeId AND id = ANY (:ids::uuid[])';
const SELECT_BY_IDS =
  `SELECT id, ${liveFields('entries', ':typeId')} AS fields, status, created_at AS "createdAt", updated_at AS "updatedAt", published_at AS "publishedAt" ${BY_IDS}` as const;
const SIZES = statement<OfType, { id: string; bytes: number }>()(
  'entries.sizes',
  `SELECT id, coalesce(size, octet_length(fields::text)) AS bytes ${BY_IDS}`,
);

export const LARGE_ENTRIES: LargeStatements<{ typeId: string }, EntryRow> = {
  sizes: SIZES,
  rows: statement<OfType, EntryRow>()('entries.by_ids', SELECT_BY_IDS),
};

/**
 * The same for API keys that must not see drafts. A published entry may have become a draft between reading the page and reading its
 * `fields`.
 */
export const LARGE_PUBLISHED_ENTRIES: LargeStatements<{ typeId: string }, EntryRow> = {
  sizes: SIZES,
  rows: statement<OfType, EntryRow>()('entries.published_by_ids', `${SELECT_BY_IDS} AND status = 'published'`),
};
