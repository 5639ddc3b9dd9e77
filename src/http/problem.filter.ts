import { ArgumentsHost, BadRequestException, Catch, ExceptionFilter, NotFoundException } from '@nestjs/common';
import type { Request, Response } from 'express';
import { isUnreadableValue, problemOfDatabase } from '../errors/database-problem.js';
import { presentProblem, Problem } from '../errors/problem.js';
import { allowedMethods } from './allowed-methods.js';
import { isForm } from './bodies/form-body.js';
import { PAGE_HEADERS } from './pages/html-page.js';
import { problemPage } from './pages/problem-page.js';
import { wantsPage } from './pages/wants-page.js';

/** Converts any error to a problem for the client (RFC 9457, or a page for a person). The cause is written only to the log, in the line of the request. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    if (request.method === 'OPTIONS' && isUnknownRoute(error)) return answerOptions(request, response);
    const problem = toProblem(error, request);
    noteFailure(response, error, problem);
    if (response.headersSent) {
      response.failure ??= error;
      response.destroy();
      return;
    }
    this.send(request, response, problem);
  }

  /** Sends the problem as the whole response. */
  protected send(_request: Request, response: Response, problem: Problem): void {
    sendProblem(response, problem);
  }
}

/** Sends the problem as the whole response: as a page if a browser opens the address for a person, otherwise as JSON. */
export function sendProblem(response: Response, problem: Problem): void {
  if (isOpenedByPerson(response.req)) {
    response.vary('Accept');
    sendProblemAs(response, problem, { body: problemPage(problem, response.req.id), headers: PAGE_HEADERS });
    return;
  }
  const body = JSON.stringify({ ...presentProblem(problem), request_id: response.req.id });
  sendProblemAs(response, problem, { body, headers: { 'Content-Type': 'application/problem+json' } });
}

/** Sends the problem in another form. */
export function sendProblemAs(
  response: Response,
  problem: Problem,
  { body, headers }: { body: string; headers: Readonly<Record<string, string>> },
): void {
  response.problem = problem;
  response.statusCode = problem.status;
  for (const [name, value] of Object.entries({ ...problem.headers, ...headers })) response.setHeader(name, value);
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.setHeader('Cache-Control', 'no-store');
  response.removeHeader('ETag');
  response.end(body);
}

/**
 * Some libraries for programs ask for HTML too, if they are not told otherwise. A browser opens an address with GET or by sending a form, and
 * without a key.
 */
function isOpenedByPerson(request: Request): boolean {
  const { method, headers } = request;
  const isOpened = method === 'GET' || method === 'HEAD' || isForm(request);
  return isOpened && wantsPage(request) && !/^bearer\b/i.test(headers.authorization ?? '');
}

/** Notes why a request failed by a fault of the service, for its line in the log. `problem` is what the client receives for the error. */
export function noteFailure(response: Response, error: unknown, problem: Problem): void {
  if (problem.status >= 500) response.failure = error === problem ? problem.cause : error;
}

/** Returns the problem that a client receives for any error. */
export function toProblem(error: unknown, request: Request): Problem {
  if (error instanceof Problem) return error;
  if (isUnknownRoute(error)) return unknownRoute(request);
  // Nest throws it for the router's URIError.
  if (error instanceof BadRequestException) {
    return new Problem('invalid_parameter', 'The path contains invalid percent-encoding.');
  }
  // Only a cursor that a client made up can pass unchecked values to a statement.
  if (isUnreadableValue(error) && new URLSearchParams(request.url.split('?')[1]).get('cursor')) {
    return Problem.parameter('cursor', 'cursor is not a value that this list returned.');
  }
  return (
    problemOfDatabase(error) ??
    new Problem('internal_error', 'The service could not process the request because of an internal error.')
  );
}

function isUnknownRoute(error: unknown): boolean {
  return error instanceof NotFoundException;
}

/** Returns the methods of the path in `Allow`. The CORS preflight of a form is handled elsewhere. */
function answerOptions(request: Request, response: Response): void {
  const methods = allowedMethods(request);
  if (methods.length === 0) return sendProblem(response, unknownRoute(request));
  response.statusCode = 204;
  response.setHeader('Allow', methods.join(', '));
  response.end();
}

function unknownRoute(request: Request): Problem {
  const methods = allowedMethods(request);
  if (methods.length === 0)
    return new Problem('not_found', 'This path does not exist. /docs lists all paths; they are case-sensitive.');
  return new Problem('method_not_allowed', `This path supports only the methods ${methods.join(', ')}.`, undefined, {
    Allow: methods.join(', '),
  });
}
