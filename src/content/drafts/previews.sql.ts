import { statement } from '../../database/statements/statement.js';
import { LARGE_BYTES } from '../../lists/large-json.js';
import { liveFields } from '../entries/live-fields.js';
import type { EntryRow } from '../entries/entry-presenter.js';

type OfType = { typeId: string; ids: readonly string[] };

/** The draft of an entry on a page. The columns of the draft are null if there is none; `draft` also if it is large. */
interface DraftOfPage {
  id: string;
  /** Of the entry. */
  version: number;
  number: number | null;
  draft: string | null;
  bases: string | null;
}

/** An entry and its draft, of one moment. */
interface EntryToPreview extends EntryRow {
  draft: string | null;
  bases: string | null;
}

const OF_ENTRIES = `FROM entries e
    LEFT JOIN entry_drafts d ON d.tenant_id = :tenantId AND d.content_type_id = :typeId AND d.entry_id = e.id AND d.fields IS NOT NULL
    WHERE e.tenant_id = :tenantId AND e.content_type_id = :typeId AND e.id = ANY (:ids::uuid[])`;

export const DRAFTS_OF_PAGE = statement<OfType, DraftOfPage>()(
  'previews.of_page',
  `SELECT e.id, e.version, d.number, CASE WHEN d.size < ${LARGE_BYTES} THEN d.fields END AS draft, d.bases ${OF_ENTRIES}`,
);

export const PREVIEW_SIZES = statement<OfType, { id: string; bytes: number }>()(
  'previews.sizes',
  `SELECT e.id, coalesce(e.size, octet_length(e.fields::text)) + coalesce(d.size, 0) AS bytes ${OF_ENTRIES}`,
);

export const PREVIEWS_BY_IDS = statement<OfType, EntryToPreview>()(
  'previews.by_ids',
  `SELECT e.id, ${liveFields('e', ':typeId')} AS fields, e.status, e.created_at AS "createdAt", e.updated_at AS "updatedAt", e.published_at AS "publishedAt", d.fields AS draft, d.bases ${OF_ENTRIES}`,
);
