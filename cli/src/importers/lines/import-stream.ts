import { TrivetError } from '@trivet/client';
import type { RequestInput } from '@trivet/client/request';
import { linesOf, parsedLine } from '../../lines/lines.js';
import type { Session } from '../../session/session.js';

/** A line that was not imported. */
export interface LineProblem {
  readonly line: number;
  readonly problem: {
    readonly status?: number;
    readonly code?: string;
    readonly detail?: string;
    readonly errors?: readonly { readonly path: string; readonly code: string; readonly message: string }[];
  };
}

interface ImportCounts {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly failed: number;
}

export type ImportQuery = NonNullable<RequestInput<'importEntries'>['query']>;

interface Lines {
  /** The slug of the content type. */
  readonly type: string;
  readonly contentType: string;
  readonly query: ImportQuery;
  readonly body: ReadableStream<Uint8Array>;
}

type Answer = Partial<LineProblem> & Partial<ImportCounts> & { processed?: number; done?: boolean };

/** Sends lines of any number, and calls `refused` for each that is not imported. Throws if the import ends early. */
export async function importStream(
  { trivet, signal }: Session,
  { type, contentType, query, body }: Lines,
  refused: (problem: LineProblem) => void,
): Promise<ImportCounts> {
  const response = await trivet.request('importEntries', {
    path: { content_type_id: type },
    query,
    headers: { 'Content-Type': contentType },
    body,
    signal: ofRequest(signal),
    timeout: 0,
  });
  return countsIn(response, signal, refused);
}

/** Sends submissions of a form, as `importStream` sends entries; a form has one submission with its files. */
export async function importSubmissionStream(
  { trivet, signal }: Session,
  formId: string,
  body: ReadableStream<Uint8Array> | FormData,
  refused: (problem: LineProblem) => void,
): Promise<ImportCounts> {
  const path = { form_id: formId };
  // The types know the body of the stream or that of the form, and not both.
  const input = { path, body: body as never, signal: ofRequest(signal), timeout: 0 };
  const response = await trivet.request('importSubmissions', input);
  return countsIn(response, signal, refused);
}

/** The client listens to the signal of a stream as long as there is one, and a command may send hundreds of streams. */
function ofRequest(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal]);
}

const ANSWER = 'The answer of the service';

/** Reads the answer of an import. */
async function countsIn(
  response: Response,
  signal: AbortSignal,
  refused: (problem: LineProblem) => void,
): Promise<ImportCounts> {
  if (!response.body) throw brokenOff();
  const body = unbroken(response.body, signal);
  for await (const text of linesOf(body, ANSWER, Error)) {
    const answer = parsedLine<Answer>(text, ANSWER, Error);
    const { done, line, problem, created = 0, updated = 0, unchanged = 0, failed = 0 } = answer;
    if (done === true) return { created, updated, unchanged, failed };
    if (done === false) throw endedEarly(problem, created + updated + unchanged);
    if (line !== undefined && problem) refused({ line, problem });
  }
  throw brokenOff();
}

async function* unbroken(body: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (cause) {
    signal.throwIfAborted();
    throw brokenOff(cause);
  }
}

function brokenOff(cause?: unknown): TrivetError {
  const message = 'The answer of the service broke off. It may be run again, if it cannot double anything.';
  return new TrivetError(message, { code: 'network', cause });
}

function endedEarly(problem: LineProblem['problem'] = {}, kept: number): TrivetError {
  const { status, code = 'failed', detail = 'The import ended early.' } = problem;
  return new TrivetError(`${detail} Until then ${kept} lines were imported.`, { status, code, errors: problem.errors });
}
