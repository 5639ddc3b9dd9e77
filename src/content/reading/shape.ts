import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Problem } from '../../errors/problem.js';
import { type Parameter, readOption } from '../../http/parameters.js';
import type { Query } from '../../http/query.js';

/** What a response shows of entries: the properties that each endpoint documents (`plain`), or all of them, alike everywhere. */
export type Shape = 'plain' | 'full';

const HEADER = 'Trivet-Shape';

/** Reads `view` and the header. Throws a 400 for any value but `full`. */
function readShape(query: Query, header: string | undefined): Shape {
  if (header !== undefined && header !== 'full') {
    throw Problem.parameter(HEADER, `${HEADER} must be full, or be left out.`);
  }
  return header === 'full' || readOption(query, 'view', ['full']) === 'full' ? 'full' : 'plain';
}

/** Reads the shape that a request asks for. Exported to tell handlers that read the query string. */
export function requestedShape(_data: unknown, context: ExecutionContext): Shape {
  const http = context.switchToHttp();
  const request = http.getRequest<Request>();
  // Caches may keep what everybody can read, and a header is not part of its address.
  if (request.caller?.requireKey) http.getResponse<Response>().vary(HEADER);
  const header = request.headers['trivet-shape'];
  return readShape(request.query as Query, Array.isArray(header) ? header.join() : header);
}

const RequestedShape = createParamDecorator(requestedShape);

/** Injects the shape that the request asks for, and documents the header. The handler declares `shapeParameter`. */
export function WithShape(): ParameterDecorator {
  const inject = RequestedShape();
  return (target, method, index) => {
    inject(target, method, index);
    const descriptor = method === undefined ? undefined : Object.getOwnPropertyDescriptor(target, method);
    if (method !== undefined && descriptor) DOCUMENTED(target, method, descriptor);
  };
}

const DOCUMENTED = ApiHeader({
  name: HEADER,
  required: false,
  schema: { type: 'string', enum: ['full'] },
  description: 'With `full`, the same as `view=full`.',
});

export const shapeParameter: Parameter = {
  name: 'view',
  schema: { type: 'string', enum: ['full'] },
  description:
    'With `full`, entries have all their properties, alike in every response: `created_at`, `updated_at` and `published_at`. Media values that ' +
    'name a file of the service have `id`, `mime_type`, `width`, `height` and `variants` too.',
};
