import type { JsonText } from '../../http/http-adapter.js';
import type { JsonStream } from '../../http/responses/json-stream.js';
import { listResponse } from '../../lists/streamed-list.js';
import type { ListOfType } from './entry-list.service.js';
import type { LargeRecords, LargeRow } from '../../lists/large-json.js';
import { PREVIEW_WORK } from '../drafts/previews.js';
import { selectedFields } from '../reading/field-selection.js';
import type { ReadResult } from '../reading/entry-reader.service.js';
import { type EntryRow, presentEntry } from '../entries/entry-presenter.js';

/** A row that is shown with other values than those that search looked at. */
type ShownRow = EntryRow & { live?: string };

interface Rows {
  rows: readonly (ShownRow | LargeRow)[];
  large: LargeRecords<ShownRow>;
}

/** Returns the response of a list, with highlights and the values of drafts if the list has them. */
export async function entryPage(
  list: ListOfType,
  headers: Readonly<Record<string, string>> | undefined,
): Promise<JsonText | JsonStream> {
  const { type, meta, highlights, reading, shape, share } = list;
  const whole: Rows = list.preview ?? list;
  const isWhole = !reading?.select && !reading?.files && !reading?.locales && !type.schema.isLocalized;
  const { rows, large } = isWhole ? whole : await selectedRows(whole, reading ?? { share });
  const included = await reading?.included?.part();
  if (!highlights) {
    const present = (row: EntryRow) => presentEntry(type.id, row, { shape });
    const records = rows.map((row) => (row.fields === null ? row : present(row)));
    return listResponse({ records, meta, included, large, present, work: list.preview ? PREVIEW_WORK : 0, headers });
  }
  const small = rows.filter((row) => row.fields !== null).map(sought);
  const found = await highlights.of(small);
  const byId = new Map(small.map(({ id }, index) => [id, found[index]]));
  const records = rows.map((row) =>
    row.fields === null ? row : presentEntry(type.id, row, { shape, highlights: byId.get(row.id) }),
  );
  const present = async (row: ShownRow) =>
    presentEntry(type.id, row, { shape, highlights: (await highlights.of([sought(row)]))[0] });
  return listResponse({ records, meta, included, large, present, work: PREVIEW_WORK, headers });
}

/** The rows with the selected fields only, in their locales, and with marks for files in full. Search still looks at all of their values. */
async function selectedRows(
  { rows, large }: Rows,
  { select, files, locales, share }: Pick<ReadResult, 'share' | 'select' | 'files' | 'locales'>,
): Promise<Rows> {
  const selected = async (whole: readonly ShownRow[]): Promise<ShownRow[]> => {
    const texts = await selectedFields(
      share,
      whole.map(({ fields }) => ({ fields, select, files, locales })),
    );
    return whole.map((row, index) => ({ ...row, live: row.live ?? row.fields, ...texts[index] }));
  };
  const small = await selected(rows.filter((row) => row.fields !== null));
  const byId = new Map(small.map((row) => [row.id, row]));
  return {
    rows: rows.map((row) => byId.get(row.id) ?? row),
    large: { ...large, rows: async (ids) => selected(await large.rows(ids)) },
  };
}

/** The row with the values that search looked at. */
function sought(row: ShownRow): EntryRow {
  return row.live === undefined ? row : { ...row, fields: row.live };
}
