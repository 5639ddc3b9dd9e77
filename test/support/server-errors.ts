import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import type { Response } from 'express';

interface Failure {
  status: number;
  text: string;
}

const failures: Failure[] = [];
const expected = new Set<number>();

/** Allows the running test to cause responses with these statuses. Any other response of 500 or more fails the test. */
export function expectServerErrors(...statuses: readonly number[]): void {
  for (const status of statuses) expected.add(status);
}

/** Notes every response of 500 or more with its cause, which the client does not receive. */
export function noteServerErrors(server: Server): void {
  server.prependListener('request', ({ method, url }: IncomingMessage, response: ServerResponse) => {
    response.once('close', () => {
      const { statusCode: status, failure, problem } = response as Response;
      if (status < 500) return;
      const cause = failure === undefined ? (problem?.detail ?? 'It has no cause.') : inspect(failure);
      failures.push({ status, text: `${method} ${url} was answered with ${status}. ${cause}` });
    });
  });
}

/** Returns the responses that the test did not expect, and forgets all. */
export function takeUnexpected(): string[] {
  const unexpected = failures.splice(0).filter(({ status }) => !expected.has(status));
  expected.clear();
  return unexpected.map(({ text }) => text);
}
