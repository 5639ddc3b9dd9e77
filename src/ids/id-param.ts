import { Param } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { ProblemResponses } from '../errors/problem-responses.js';
import { IdPipe } from './id.pipe.js';
import type { IdPrefix } from '../modules/module-manifest.js';

/** Injects the UUID of the public ID in the path parameter `name`. Throws 404 for an ID of another format or kind, with the hint for a slug. */
export function IdParam(name: string, prefix: IdPrefix, noun: string, slugHint?: string): ParameterDecorator {
  const read = Param(name, new IdPipe(prefix, noun, slugHint));
  return (target, method, index) => {
    read(target, method, index);
    const descriptor = method === undefined ? undefined : Object.getOwnPropertyDescriptor(target, method);
    if (method === undefined || !descriptor) return;
    ApiParam({
      name,
      // Without an example: Swagger UI would enter this ID, which does not exist.
      description: `The ID of the ${noun}: \`${prefix}_…\`.`,
      schema: { type: 'string' },
    })(target, method, descriptor);
    ProblemResponses('not_found')(target, method, descriptor);
  };
}
