import { ArgumentsHost, BadRequestException, Catch, ExceptionFilter, NotFoundException } from '@nestjs/common';
import type { Request, Response } from 'express';
import { allowedMethods } from './allowed-methods.js';
import { isUnreadableValue, problemOfDatabase } from './database-problem.js';
import { presentProblem, Problem } from './problem.js';

/** Converts any error to problem details (RFC 9457) for the client. The cause is written only to the log, in the line of the request. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    if (request.method === 'OPTIONS' && isUnknownRoute(error)) return answerOptions(request, response);
    const problem = toProblem(error, request);
    if (problem.status >= 500) response.failure = error === problem ? problem.cause : error;
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

/** Sends the problem as the whole response. */
export function sendProblem(response: Response, problem: Problem): void {
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

function toProblem(error: unknown, request: Request): Problem {
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
