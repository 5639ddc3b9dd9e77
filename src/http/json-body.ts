import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { json, type Request, type Response } from 'express';
import { Problem } from '../errors/problem.js';

type Parser = ReturnType<typeof json>;

const parsers = new Map<number, Parser>();

/** The request's JSON object. Throws 400 when it is malformed or no object, 413 over `maxBytes`, 415 when it isn't JSON. */
export async function readJson(
  request: Request,
  response: Response,
  maxBytes: number,
): Promise<Record<string, unknown>> {
  if (!isJson(request) && hasBody(request)) {
    throw new Problem('unsupported_media_type', 'Send the body as JSON, with Content-Type: application/json.');
  }
  const parse = parserOf(maxBytes);
  await new Promise<void>((resolve, reject) => {
    parse(request, response, (error?: unknown) => (error ? reject(problemOfBody(error, maxBytes)) : resolve()));
  });
  const body: unknown = request.body;
  if (body === null || typeof body !== 'object' || Array.isArray(body)) {
    throw new Problem('malformed_json', 'The body must be a JSON object.');
  }
  return body as Record<string, unknown>;
}

function parserOf(maxBytes: number): Parser {
  let parser = parsers.get(maxBytes);
  if (!parser) {
    parser = json({ limit: maxBytes, strict: false, type: () => true, verify: refuseUnreadable });
    parsers.set(maxBytes, parser);
  }
  return parser;
}

const JSON_TYPE = /^application\/json\s*(;\s*charset="?utf-8"?\s*)?;?\s*$/i;

function isJson(request: IncomingMessage): boolean {
  return JSON_TYPE.test(request.headers['content-type'] ?? '');
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** The parser would take nothing for an empty object, and replace what isn't UTF-8. */
function refuseUnreadable(_request: unknown, _response: unknown, body: Buffer): void {
  if (body.length === 0) throw new Problem('malformed_json', 'The body must be a JSON object.');
  if (!isUtf8(body)) throw new Problem('malformed_json', 'The body is not valid UTF-8.');
}

function problemOfBody(error: unknown, maxBytes: number): Error {
  if (error instanceof Problem) return error;
  switch (String((error as { type?: string }).type)) {
    case 'entity.parse.failed':
    case 'request.size.invalid':
    case 'request.aborted':
      return new Problem('malformed_json', 'The body is not valid JSON.');
    case 'entity.too.large':
      return new Problem('payload_too_large', `The body is larger than ${maxBytes} bytes.`);
    case 'charset.unsupported':
    case 'encoding.unsupported':
      return new Problem('unsupported_media_type', 'Send the body as UTF-8 JSON, plain or with gzip, deflate or br.');
    default:
      // Body-parser's client errors (a corrupt gzip stream, for one) carry a status below 500.
      if (((error as { status?: number }).status ?? 500) < 500) {
        return new Problem('malformed_json', 'The body could not be read.');
      }
      return error as Error;
  }
}
