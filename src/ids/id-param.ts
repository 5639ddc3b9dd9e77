import { Param } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { ProblemResponses } from '../errors/problem-responses.js';
import { IdPipe } from './id.pipe.js';
import type { IdPrefix } from '../rooms/room.js';
import { formatId } from './type-id.js';

const EXAMPLE = '01990f3c-5a7e-7c3d-8a5b-2f6d1c9e4b7a';

/** Injects the UUID of the public ID in the path parameter `name`. Throws 404, with the hint, for an ID of another format or kind. */
export function IdParam(name: string, prefix: IdPrefix, noun: string, hint?: string): ParameterDecorator {
  const read = Param(name, new IdPipe(prefix, noun, hint));
  return (target, method, index) => {
    read(target, method, index);
    const descriptor = method === undefined ? undefined : Object.getOwnPropertyDescriptor(target, method);
    if (method === undefined || !descriptor) return;
    ApiParam({
      name,
      description: `The ID of the ${noun}.`,
      schema: { type: 'string', example: formatId(prefix, EXAMPLE) },
    })(target, method, descriptor);
    ProblemResponses('not_found')(target, method, descriptor);
  };
}
