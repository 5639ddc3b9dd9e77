import { JsonText } from '../../http/http-adapter.js';
import type { JsonStream } from '../../http/responses/json-stream.js';
import { composed } from '../../lists/streamed-list.js';
import type { EntryOfType } from '../entries/entries.sql.js';
import { presentEntry } from '../entries/entry-presenter.js';
import { selectedFields } from './field-selection.js';
import type { Shape } from './shape.js';
import type { ReadResult } from './entry-reader.service.js';

/** Returns the response with one entry, as the reading shows it. */
export async function entryResponse(
  entry: EntryOfType,
  reading: ReadResult | undefined,
  headers: Readonly<Record<string, string>>,
  shape: Shape,
): Promise<JsonText | JsonStream> {
  if (!reading) return new JsonText(`{"data":${presentEntry(entry.typeId, entry, { shape })}}`, headers);
  const { share, select, files, locales, included } = reading;
  const [shown] = await selectedFields(share, [{ fields: entry.fields, select, files, locales }]);
  const data = `{"data":${presentEntry(entry.typeId, { ...entry, ...shown }, { shape })}`;
  return included
    ? composed([`${data},"included":{`, await included.part(), '}}'], headers)
    : new JsonText(`${data}}`, headers);
}
