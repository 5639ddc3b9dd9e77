import { JsonText } from '../http/http-adapter.js';
import { JsonStream } from '../http/json-stream.js';
import type { LargeRecords } from './large-json.js';
import type { ListMeta } from './page.js';

/** The large records of a list are read and sent in batches of this size, or one by one where a record alone is larger. */
const BATCH_BYTES = 1024 * 1024;
/** A batch is in memory as rows, as text and as bytes that wait for the socket. */
const COPIES = 3;

export interface List<Row> {
  /** The JSON of each record in their order; of a large one the row's id. */
  records: readonly (string | { id: string })[];
  meta: ListMeta;
  large: LargeRecords<Row>;
  /** The JSON of a large record. */
  present: (row: Row) => string;
}

/** The answer of a list whose records are JSON text already. */
export function listText(records: readonly string[], meta: ListMeta): JsonText {
  return new JsonText(`{"data":[${records.join(',')}],"meta":${JSON.stringify(meta)}}`);
}

/**
 * The answer of a list: one text, unless records are large. Then it is sent in pieces, at most a batch at a time.
 *
 * The page (its ids, their order, the total) is what its statement found. A large record is shown as it is when its turn comes, and left
 * out when it was deleted meanwhile: holding a snapshot for as long as a client reads would hold a connection and keep dead rows.
 */
export async function listAnswer<Row extends { id: string }>(list: List<Row>): Promise<JsonText | JsonStream> {
  const { records, meta, large } = list;
  if (records.every(isText)) return listText(records, meta);
  const sizes = await large.sizes(records.flatMap((record) => (isText(record) ? [] : record.id)));
  const bytes = new Map(sizes.map((size) => [size.id, size.bytes]));
  const listed = records.map((one) => (isText(one) ? one : { id: one.id, bytes: bytes.get(one.id) ?? 0 }));
  const batches = inBatches(listed);
  const most = Math.max(BATCH_BYTES, ...batches.map(bytesOf));
  return new JsonStream(() => pieces(batches, list), bytesOf(listed.filter(isText)) + COPIES * most);
}

/** A record's JSON, or what is known of a large one. */
type Listed = string | { id: string; bytes: number };

function isText(record: string | { id: string }): record is string {
  return typeof record === 'string';
}

async function* pieces<Row extends { id: string }>(
  batches: Listed[][],
  { meta, present, large }: List<Row>,
): AsyncGenerator<string> {
  let separator = '{"data":[';
  for (let batch = batches.shift(); batch; batch = batches.shift()) {
    const ids = batch.flatMap((record) => (isText(record) ? [] : record.id));
    const rows = ids.length > 0 ? await large.rows(ids) : [];
    const read = new Map(rows.map((row) => [row.id, present(row)]));
    let piece = '';
    for (const record of batch) {
      const text = isText(record) ? record : read.get(record.id);
      if (text === undefined) continue;
      piece += separator + text;
      separator = ',';
    }
    if (piece !== '') yield piece;
  }
  yield `${separator === ',' ? '' : separator}],"meta":${JSON.stringify(meta)}}`;
}

/** Records in their order, in batches of `BATCH_BYTES` or of one record. */
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
