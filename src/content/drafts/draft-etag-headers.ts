import { applyDecorators } from '@nestjs/common';
import { ApiHeader, ApiResponse } from '@nestjs/swagger';
import { ProblemResponses } from '../../errors/problem-responses.js';

export const IfMatchDraft = applyDecorators(
  ApiHeader({
    name: 'If-Match',
    required: false,
    schema: { type: 'string' },
    description:
      'The `ETag` that the draft must still have, with its quotation marks: `"d2"`. Otherwise the response is 412. ' +
      'Without quotation marks it is 400.',
  }),
  ProblemResponses('invalid_parameter', 'precondition_failed'),
);

/** Documents that a draft is only made, not changed. */
export const IfNoDraft = ApiHeader({
  name: 'If-None-Match',
  required: false,
  schema: { type: 'string', enum: ['*'] },
  description: 'With `*`, the response is 412 if the entry already has a draft.',
});

export const TaggedDraft = ApiResponse({
  status: 200,
  headers: {
    ETag: {
      description: 'The version of the draft, for use in `If-Match`. It never restarts for an entry.',
      schema: { type: 'string', example: '"d2"' },
    },
  },
});
