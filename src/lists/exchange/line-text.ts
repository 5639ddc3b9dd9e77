import { isUtf8 } from 'node:buffer';
import type { SlicedWork } from '../../admission/sliced-work.js';
import { Problem, type ProblemCode } from '../../errors/problem.js';
import { TOO_DEEP } from '../../http/bodies/storable-values.js';
import { findJsonFault } from '../../json/json-fault.js';
import { parseSent } from '../../json/parse-sent.js';
import { TooDeepError } from '../../json/parse-sliced.js';
import { FileProblem, MAX_LINE_BYTES } from './streamed-import.js';
import type { StreamedRecord } from './record-splitter.js';

export const NO_UTF_8 = 'is not valid UTF-8. Save the file as UTF-8.';

const ARRAY = /^\s*\[/;
/** At most this much of the body is looked at to find out what it is. */
const LOOKED_AT = 100;

/** Throws a `FileProblem` for a JSON array, and for text that is not UTF-8. */
export function assertLinesOfJson(record: StreamedRecord): void {
  assertEncoding(record, 'malformed_json');
  if (!ARRAY.test(record.bytes?.toString('latin1', 0, LOOKED_AT) ?? '')) return;
  throw new FileProblem(
    'malformed_json',
    'The body is a JSON array. Send each of its objects on a line of its own, without brackets and commas around them.',
  );
}

/** Throws a `FileProblem` for text in UTF-16, in which ASCII characters have a NUL byte. */
export function assertEncoding({ bytes }: StreamedRecord, code: ProblemCode): void {
  const mark = bytes?.toString('hex', 0, 2);
  if (mark !== 'fffe' && mark !== 'feff' && bytes?.includes(0) !== true) return;
  throw new FileProblem(code, 'The body is not UTF-8: it looks like UTF-16. Save the file as UTF-8 and send it again.');
}

/** Returns the text of a record. Throws the problem of one that is too large, or not UTF-8. */
export function textOf(
  { bytes, line, lastLine }: StreamedRecord,
  malformed: 'malformed_json' | 'malformed_csv',
): string {
  if (!bytes) {
    const subject = lastLine > line ? `The record from line ${line} to ${lastLine}` : 'The line';
    const reason = lastLine > line ? ' Perhaps a quotation mark is missing in it.' : '';
    throw new Problem('payload_too_large', `${subject} is larger than ${MAX_LINE_BYTES} bytes.${reason}`);
  }
  if (!isUtf8(bytes)) throw new Problem(malformed, `The line ${NO_UTF_8}`);
  return bytes.toString('utf8');
}

/** Parses the JSON of a line. Throws the problem of a line that is not JSON. */
export function* parseLine(text: string): SlicedWork<unknown> {
  try {
    return yield* parseSent(text);
  } catch (error) {
    if (error instanceof TooDeepError) throw tooDeep();
    const fault = yield* findJsonFault(text);
    throw new Problem(
      'malformed_json',
      `The line is not valid JSON${fault ? `: column ${fault.column}: ${fault.reason}` : ''}.`,
    );
  }
}

export function tooDeep(): Problem {
  return Problem.invalid([{ path: 'fields', code: 'too_deep', message: TOO_DEEP }]);
}
