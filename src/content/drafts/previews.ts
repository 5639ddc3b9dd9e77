import { heavyWork, isHeavy } from '../../admission/heavy-work.js';
import type { Reader } from '../../database/servers/replica-reads.js';
import type { Caller } from '../../http/caller.js';
import type { LargeRecords, LargeRow } from '../../lists/large-json.js';
import type { EntryRow } from '../entries/entry-presenter.js';
import type { CompiledType } from '../schemas.js';
import { shownSliced, storedDraft, type StoredDraft } from './draft-values.js';
import { DRAFTS_OF_PAGE, PREVIEW_SIZES, PREVIEWS_BY_IDS } from './previews.sql.js';

/**
 * How many times the size of an entry's JSON a preview or the search for its highlights takes: its values and their texts, and for HTML with
 * very many links an object for each of them. Measured: 2 times for usual texts, 12 times for nothing but links.
 */
export const PREVIEW_WORK = 12;

/** An entry with the values of its draft on top. */
interface PreviewedEntry extends EntryRow {
  /** The values without the draft, which search looks at. */
  live: string;
}

/** What a page of entries shows with `preview=true`. */
export interface PreviewedPage {
  rows: (PreviewedEntry | LargeRow)[];
  large: LargeRecords<PreviewedEntry>;
  /** The number of each draft, by the ID of its entry. */
  numbers: ReadonlyMap<string, number>;
}

/** A list of entries, as it is read without their drafts. */
interface LiveList {
  type: CompiledType;
  rows: readonly ((EntryRow | LargeRow) & { version: number })[];
}

/**
 * Puts the drafts of a page's entries on top of their values. One statement reads all small drafts. These are read while the list is sent, as
 * large entries are: entries that are large or whose draft is, and entries that have changed since the page was read, because their draft may
 * have been published meanwhile.
 */
export async function previewPage(
  reads: Reader,
  { tenantId, share }: Caller,
  { type, rows }: LiveList,
): Promise<PreviewedPage> {
  const typeId = type.id;
  const ids = rows.map(({ id }) => id);
  const found = ids.length > 0 ? await reads.query(tenantId, DRAFTS_OF_PAGE, { typeId, ids }) : [];
  const byId = new Map(found.map((one) => [one.id, one]));
  const shown: (PreviewedEntry | LargeRow)[] = [];
  for (const row of rows) {
    const { version, number = null, draft = null, bases = null } = byId.get(row.id) ?? {};
    const isWhole = row.fields !== null && version === row.version && (number === null || draft !== null);
    shown.push(isWhole ? await preview(share, type, row, storedDraft({ draft, bases })) : { id: row.id, fields: null });
  }
  const byIds = async (ids: readonly string[]) => {
    const previews: PreviewedEntry[] = [];
    for (const row of await reads.query(tenantId, PREVIEWS_BY_IDS, { typeId, ids })) {
      previews.push(await preview(share, type, row, storedDraft(row)));
    }
    return previews;
  };
  return {
    rows: shown,
    numbers: new Map(found.flatMap(({ id, number }) => (number === null ? [] : [[id, number]]))),
    large: { sizes: (ids) => reads.query(tenantId, PREVIEW_SIZES, { typeId, ids }), rows: byIds },
  };
}

/** Puts the draft, if there is one, on top of the entry's values. Large values take turns with those of other tenants. */
export async function preview<Row extends EntryRow>(
  share: string,
  { schema }: Pick<CompiledType, 'schema'>,
  row: Row,
  draft: StoredDraft | undefined,
): Promise<Row & PreviewedEntry> {
  if (!draft) return { ...row, live: row.fields };
  const steps = shownSliced(schema, row.fields, draft);
  const isLarge = isHeavy(row.fields.length + draft.draft.length);
  const { fields } = await heavyWork.runIf(isLarge, share, steps);
  return { ...row, fields, live: row.fields };
}
