import { TrivetError } from '@trivet/client';
import { ExitCode, UsageError } from '../exit-code.js';
import { paintFor } from './paint.js';
import { CLEAR_LINE } from './progress.js';
import { printable } from './printable.js';
import type { Terminal } from './terminal.js';

/** Errors of a response that are printed. */
const MOST_ERRORS = 20;

/** Prints why a command failed, and returns what it ends with. */
export function reportFailure(error: unknown, terminal: Terminal, isJson: boolean): ExitCode {
  const paint = paintFor(terminal.stderr, terminal.env);
  if (isJson) terminal.stdout.write(failureAsJson(error));
  // A progress bar may stand where the error belongs.
  if (terminal.stderr.isTTY) terminal.stderr.write(CLEAR_LINE);
  const [first, ...rest] = linesOf(error);
  terminal.stderr.write(`${printable([`${paint('red', 'error:')} ${first}`, ...rest].join('\n'))}\n`);
  return error instanceof UsageError ? ExitCode.usage : ExitCode.failed;
}

/** Why a command failed, as a line for programs. */
export function failureAsJson(error: unknown): string {
  return `${JSON.stringify({ error: asJson(error) })}\n`;
}

function asJson(error: unknown): object {
  if (!(error instanceof TrivetError)) {
    return { code: error instanceof UsageError ? 'usage' : 'failed', message: messageOf(error) };
  }
  const { status, code, message, errors, requestId, retryAfter } = error;
  return { status, code, message, errors, request_id: requestId, retry_after: retryAfter };
}

function linesOf(error: unknown): string[] {
  if (!(error instanceof TrivetError)) return [messageOf(error)];
  const { status, code, message, errors, requestId, retryAfter } = error;
  return [
    `${message} (${[code, status || undefined].filter(Boolean).join(', ')})`,
    ...errors.slice(0, MOST_ERRORS).map(({ path, message: text }) => `  ${path}: ${text}`),
    ...(errors.length > MOST_ERRORS ? [`  and ${errors.length - MOST_ERRORS} more`] : []),
    ...(retryAfter === undefined ? [] : [`  Try again in ${retryAfter} s.`]),
    ...(requestId === undefined ? [] : [`  Request ${requestId}`]),
  ];
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
