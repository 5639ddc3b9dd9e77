import { JsonText } from '../http/http-adapter.js';
import { JsonStream } from '../http/responses/json-stream.js';
import type { LargeRecords } from './large-json.js';
import type { ListMeta } from './page.js';

/** Records are read and sent in batches of at most this size. A record that is larger is a batch by itself. */
const BATCH_BYTES = 1024 * 1024;
/** Memory holds a batch as rows, as text and as bytes that wait for the socket. */
const COPIES = 3;

/** Records that a response contains, in order. */
export interface Records<Row> {
  /** The JSON of each record, or the row's ID if it is large. */
  records: readonly (string | { id: string })[];
  large: LargeRecords<Row>;
  /** Returns the JSON of a large record. The next record is presented after it. */
  present: (row: Row) => string | Promise<string>;
  /** How many times its own size presenting a large record takes beyond its row and its JSON; the default is 0. */
  work?: number;
}

export interface List<Row> extends Records<Row> {
  meta: ListMeta;
  /** The members of `included`. Undefined if the response has none. */
  included?: ResponsePart;
  headers?: Readonly<Record<string, string>>;
}

/** A part of a response: the JSON of some records, separated by commas. */
export interface ResponsePart {
  /** Undefined if some records are large. */
  text?: string;
  /** The bytes that it holds in memory until the response is complete, and those that it holds only while it is sent. */
  held: number;
  sent: number;
  pieces(): AsyncIterable<string> | Iterable<string>;
}

/** Returns the response of a list whose records are already JSON text. */
export function listText(
  records: readonly string[],
  meta: ListMeta,
  headers?: Readonly<Record<string, string>>,
): JsonText {
  return new JsonText(`{"data":[${records.join(',')}],"meta":${JSON.stringify(meta)}}`, headers);
}

/**
 * Returns the response of a list: one text, or a stream of batches if some records are large.
 *
 * The page (its IDs, their order, the total) is the result of its statement. A large record is read when its batch is sent, and left out
 * if it was deleted meanwhile. A snapshot for as long as the client reads would occupy a connection and keep dead rows.
 */
export async function listResponse<Row extends { id: string }>(list: List<Row>): Promise<JsonText | JsonStream> {
  const { meta, included, headers } = list;
  const end = `],"meta":${JSON.stringify(meta)}`;
  const data = await partOf(list);
  return composed(
    included ? ['{"data":[', data, `${end},"included":{`, included, '}}'] : ['{"data":[', data, `${end}}`],
    headers,
  );
}

/** Returns the response that consists of these texts and parts: one text if it can be. */
export function composed(
  parts: readonly (string | ResponsePart)[],
  headers?: Readonly<Record<string, string>>,
): JsonText | JsonStream {
  const texts = parts.map((part) => (typeof part === 'string' ? part : part.text));
  if (texts.every((text) => text !== undefined)) return new JsonText(texts.join(''), headers);
  const bytes = parts.map((part) => (typeof part === 'string' ? { held: part.length, sent: 0 } : part));
  const held = bytes.reduce((sum, part) => sum + part.held, 0) + Math.max(...bytes.map((part) => part.sent));
  return new JsonStream(() => piecesOf(parts), held, headers);
}

/** A text is sent together with what follows it, so that the first piece has the first records. */
async function* piecesOf(parts: readonly (string | ResponsePart)[]): AsyncGenerator<string> {
  let before = '';
  for (const part of parts) {
    if (typeof part === 'string') {
      before += part;
      continue;
    }
    for await (const piece of part.pieces()) {
      yield before + piece;
      before = '';
    }
  }
  yield before;
}

/** Returns the records as a part of a response. Large ones are read when their batch is sent. */
export async function partOf<Row extends { id: string }>(list: Records<Row>): Promise<ResponsePart> {
  const { records, large, work = 0 } = list;
  if (records.every(isText)) {
    const text = records.join(',');
    return { text, held: text.length, sent: 0, pieces: () => (text === '' ? [] : [text]) };
  }
  const sizes = await large.sizes(records.flatMap((record) => (isText(record) ? [] : record.id)));
  const bytes = new Map(sizes.map((size) => [size.id, size.bytes]));
  const listed = records.map((one) => (isText(one) ? one : { id: one.id, bytes: bytes.get(one.id) ?? 0 }));
  const batches = inBatches(listed);
  const most = Math.max(BATCH_BYTES, ...batches.map(bytesOf));
  const largest = Math.max(...listed.map((record) => (isText(record) ? 0 : record.bytes)));
  const held = bytesOf(listed.filter(isText));
  return { held, sent: COPIES * most + work * largest, pieces: () => batchPieces(batches, list) };
}

/** The JSON of a record, or the ID and size of a large one. */
type Listed = string | { id: string; bytes: number };

function isText(record: string | { id: string }): record is string {
  return typeof record === 'string';
}

async function* batchPieces<Row extends { id: string }>(
  batches: Listed[][],
  { present, large }: Records<Row>,
): AsyncGenerator<string> {
  let separator = '';
  for (let batch = batches.shift(); batch; batch = batches.shift()) {
    const ids = batch.flatMap((record) => (isText(record) ? [] : record.id));
    const read = new Map<string, string>();
    for (const row of ids.length > 0 ? await large.rows(ids) : []) read.set(row.id, await present(row));
    let piece = '';
    for (const record of batch) {
      const text = isText(record) ? record : read.get(record.id);
      if (text === undefined) continue;
      piece += separator + text;
      separator = ',';
    }
    if (piece !== '') yield piece;
  }
}

/** Splits the records, in order, into batches of at most `BATCH_BYTES` or of one record. */
function inBatches(records: readonly Listed[]): Listed[][] {
  let batch: Listed[] = [];
  let room = BATCH_BYTES;
  const batches = [batch];
  for (const record of records) {
    const bytes = bytesOf([record]);
    if (bytes > room && batch.length > 0) {
      batches.push((batch = []));
      room = BATCH_BYTES;
    }
    batch.push(record);
    room -= bytes;
  }
  return batches;
}

function bytesOf(records: readonly Listed[]): number {
  return records.reduce((sum, record) => sum + (isText(record) ? record.length : record.bytes), 0);
}
