import type { Request } from 'express';
import type { Problem, ValueError } from '../../errors/problem.js';
import { noteFailure, toProblem } from '../../http/problem.filter.js';
import type { ToolAnswer } from '../answers/answer.js';

/** At most this many errors of values are shown, of which each text has at most this many characters, and all together at most these bytes. */
const MAX_ERRORS = 50;
const MAX_TEXT = 500;
const MAX_ERRORS_BYTES = 20_000;

/** What a tool answers: the values as structured content, and as text for clients that know nothing else. */
export function toolResultOf(answer: ToolAnswer) {
  return { content: [{ type: 'text' as const, text: JSON.stringify(answer) }], structuredContent: answer };
}

/** What a tool answers instead if it throws: what is wrong, so that an assistant can mend its call. The log has the cause. */
export function failureOf(error: unknown, request: Request) {
  const problem = problemOf(error, request);
  return { isError: true, content: [{ type: 'text' as const, text: JSON.stringify(shown(problem)) }] };
}

/** Returns the problem of an error, and notes it for the log. */
export function problemOf(error: unknown, request: Request): Problem {
  const problem = toProblem(error, request);
  if (request.res) noteFailure(request.res, error, problem);
  return problem;
}

/** The errors that an answer has space for. `detail` says how many there are. */
export function shownErrors(errors: readonly ValueError[]): ValueError[] {
  let rest = MAX_ERRORS_BYTES;
  return errors
    .slice(0, MAX_ERRORS)
    .map(({ path, code, message }) => ({ path: path.slice(0, MAX_TEXT), code, message: message.slice(0, MAX_TEXT) }))
    .filter((error) => (rest -= Buffer.byteLength(JSON.stringify(error))) >= 0);
}

function shown({ code, status, detail, errors, headers }: Problem) {
  const { 'Retry-After': seconds } = headers;
  return {
    status,
    code,
    detail,
    ...(errors && { errors: shownErrors(errors) }),
    ...(seconds !== undefined && { retry_after: Number(seconds) }),
  };
}
