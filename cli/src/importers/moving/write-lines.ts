import type { Session } from '../../session/session.js';
import { importStream, type LineProblem } from '../lines/import-stream.js';
import { patiently } from './patient.js';

/** A line of an import, with what the source calls its entry. */
export interface ImportLine {
  key: string;
  line: { id: string; fields: object; status?: string; locale?: string };
}

type Lines = AsyncIterable<ImportLine> | Iterable<ImportLine>;

export interface Counts {
  created: number;
  updated: number;
  unchanged: number;
  failed: number;
}

/** Is called for each entry that is refused, with why. */
type Refused = (key: string, why: string) => void;

/** Bytes that are sent at once, about. */
const CHUNK = 64 * 1024;

/** Streams lines to the import of a content type. `lines` is called again if the service was too busy, or the connection broke. */
export async function writeLines(
  session: Session,
  slug: string,
  lines: () => Lines,
  refused: Refused,
): Promise<Counts> {
  const attempt = async () => {
    const keys: string[] = [];
    // Only those of the last attempt count.
    const problems: [key: string, why: string][] = [];
    const body = ReadableStream.from<Uint8Array>(chunksOf(lines(), keys));
    const request = { type: slug, contentType: 'application/x-ndjson', query: { keep_ids: true }, body };
    const counts = await importStream(session, request, ({ line, problem }) => {
      problems.push([keys[line - 1] ?? '', whyOf(problem)]);
    });
    return { counts, problems };
  };
  const { counts, problems } = await patiently(session.signal, attempt, { isRepeatable: true });
  for (const [key, why] of problems) refused(key, why);
  return counts;
}

function whyOf({ detail = '', errors = [] }: LineProblem['problem']): string {
  return errors.length > 0 ? errors.map(({ message }) => message).join(' ') : detail;
}

async function* chunksOf(lines: Lines, keys: string[]): AsyncGenerator<Uint8Array> {
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
