import type { Request } from 'express';
import { type Problem } from '../../errors/problem.js';
import { noteFailure, toProblem } from '../../http/problem.filter.js';
import type { ToolAnswer } from '../answers/answer.js';

/** At most this many errors of values are shown, each with at most so many characters. */
const MAX_ERRORS = 50;
const MAX_MESSAGE = 500;

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

function shown({ code, status, detail, errors, headers }: Problem) {
  const { 'Retry-After': seconds } = headers;
  return {
    status,
    code,
    detail,
    ...(errors && {
      errors: errors.slice(0, MAX_ERRORS).map((one) => ({ ...one, message: one.message.slice(0, MAX_MESSAGE) })),
    }),
    ...(seconds !== undefined && { retry_after: Number(seconds) }),
  };
}
