import { isIP } from 'node:net';
import { ApiHeader } from '@nestjs/swagger';
import type { Request } from 'express';
import { Problem } from '../errors/problem.js';

const HEADER = 'Trivet-Client-Address';

/** Documents the header. */
export const VisitorHeader = ApiHeader({
  name: HEADER,
  required: false,
  schema: { type: 'string', maxLength: 45 },
  description:
    'The IP address of the visitor, from a server that sends the request for them. It is counted in place of the address of the server. Needs an ' +
    'API key that may write forms, 401 or 403 otherwise.',
});

/** Whether a server sends the request for a visitor, and says so. */
export function tellsVisitor({ headers }: Request): boolean {
  return headers[HEADER.toLowerCase()] !== undefined;
}

/** Throws a 400 if the header is not one IP address. */
export function visitorAddress(request: Request): string {
  const address = request.get(HEADER)?.trim() ?? '';
  if (isIP(address)) return address;
  throw Problem.parameter(HEADER, `${HEADER} must be one IP address.`);
}
