import type { Session } from '../../session/session.js';
import { answerLines } from './answer-lines.js';
import { patiently } from './patient.js';

/** A line of an import, with what the source calls its entry. */
export interface ImportLine {
  key: string;
  line: { id: string; fields: object; status?: string; locale?: string };
}

export interface Counts {
  created: number;
  updated: number;
  unchanged: number;
  failed: number;
}

/** Why an entry was refused. */
export type Refused = (
  key: string,
  problem: { code: string; detail: string; errors?: { path: string; message: string }[] },
) => void;

interface AnswerLine extends Partial<Counts> {
  line?: number;
  problem?: Parameters<Refused>[1];
  done?: boolean;
}

/** Bytes that are sent at once, about. */
const CHUNK = 64 * 1024;

/** Streams lines to the import of a content type. `lines` is called again if the service was too busy to begin. */
export async function writeLines(
  { trivet, signal }: Session,
  slug: string,
  lines: () => AsyncIterable<ImportLine>,
  refused: Refused,
): Promise<Counts> {
  let keys: string[] = [];
  const response = await patiently(signal, () => {
    keys = [];
    const body = ReadableStream.from(chunksOf(lines(), keys));
    const query = { keep_ids: true } as never;
    return trivet.request('importEntries', {
      path: { content_type_id: slug },
      query,
      body: body as never,
      signal,
      timeout: 0,
    });
  });
  for await (const { line, problem, done, ...counts } of answerLines<AnswerLine>(response)) {
    if (done === false) throw new Error(problem?.detail ?? 'The import could not be completed.');
    if (done) {
      const { created = 0, updated = 0, unchanged = 0, failed = 0 } = counts;
      return { created, updated, unchanged, failed };
    }
    if (line !== undefined && problem) refused(keys[line - 1] ?? '', problem);
  }
  throw new Error('The import ended early. Run it again: it continues where it was.');
}

async function* chunksOf(lines: AsyncIterable<ImportLine>, keys: string[]): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let text = '';
  for await (const { key, line } of lines) {
    keys.push(key);
    text += `${JSON.stringify(line)}\n`;
    if (text.length < CHUNK) continue;
    yield encoder.encode(text);
    text = '';
  }
  if (text !== '') yield encoder.encode(text);
}
