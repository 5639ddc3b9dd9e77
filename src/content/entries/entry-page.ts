import type { JsonText } from '../../http/http-adapter.js';
import type { JsonStream } from '../../http/json-stream.js';
import { listResponse } from '../../lists/streamed-list.js';
import type { ListOfType } from './entry-list.service.js';
import type { LargeRecords, LargeRow } from '../../lists/large-json.js';
import { type EntryRow, presentEntry } from './entry-presenter.js';

/**
 * How many times the size of an entry's JSON a preview or the search for its highlights takes: its values and their texts, and for HTML with very many
 * links an object for each of them. Measured: 2 times for usual texts, 12 times for nothing but links.
 */
const WORK = 12;

/** A row that is shown with other values than those that search looked at. */
type ShownRow = EntryRow & { live?: string };

/** Returns the response of a list, with highlights and the values of drafts if the list has them. */
export async function entryPage(
  list: ListOfType,
  headers: Readonly<Record<string, string>> | undefined,
): Promise<JsonText | JsonStream> {
  const { type, meta, highlights } = list;
  const { rows, large }: { rows: readonly (ShownRow | LargeRow)[]; large: LargeRecords<ShownRow> } =
    list.preview ?? list;
  if (!highlights) {
    const present = (row: EntryRow) => presentEntry(type.id, row);
    const records = rows.map((row) => (row.fields === null ? row : present(row)));
    return listResponse({ records, meta, large, present, work: list.preview ? WORK : 0, headers });
  }
  const small = rows.filter((row) => row.fields !== null).map(sought);
  const found = await highlights.of(small);
  const byId = new Map(small.map(({ id }, index) => [id, found[index]]));
  const records = rows.map((row) => (row.fields === null ? row : presentEntry(type.id, row, byId.get(row.id))));
  const present = async (row: ShownRow) => presentEntry(type.id, row, (await highlights.of([sought(row)]))[0]);
  return listResponse({ records, meta, large, present, work: WORK, headers });
}

/** The row with the values that search looked at. */
function sought(row: ShownRow): EntryRow {
  return row.live === undefined ? row : { ...row, fields: row.live };
}
