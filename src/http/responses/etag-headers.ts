import { applyDecorators } from '@nestjs/common';
import { ApiHeader, ApiResponse } from '@nestjs/swagger';
import { ProblemResponses } from '../../errors/problem-responses.js';

/** Documents that the resource must still have an ETag. */
export const IfMatch = applyDecorators(
  ApiHeader({
    name: 'If-Match',
    required: false,
    schema: { type: 'string' },
    description:
      'The `ETag` that the resource must still have, with its quotation marks: `"v3"`. Otherwise the response is 412. ' +
      'Without quotation marks it is 400.',
  }),
  ProblemResponses('invalid_parameter'),
);

export const IfNoneMatch = ApiHeader({
  name: 'If-None-Match',
  required: false,
  schema: { type: 'string' },
  description: 'The `ETag` of the response that the client has.',
});

/** The response depends on the key, and a client may keep it if it asks each time whether it is current. */
export function privateHeaders(etag: string): { ETag: string; 'Cache-Control': string } {
  return { ETag: etag, 'Cache-Control': 'private, no-cache' };
}

/** Documents that the response contains the ETag of the resource. */
export const Tagged = (status: 200 | 201, noun = 'entry') =>
  ApiResponse({
    status,
    headers: {
      ETag: {
        description: `The version of the ${noun}, for use in \`If-Match\`.`,
        schema: { type: 'string', example: '"v3"' },
      },
    },
  });
