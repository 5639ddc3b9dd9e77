import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import type { Request } from 'express';
import { ProblemResponses } from '../errors/problem-responses.js';
import { Problem } from '../errors/problem.js';
import { formatId, type IdPrefix, parseId } from './type-id.js';

const EXAMPLE = '01990f3c-5a7e-7c3d-8a5b-2f6d1c9e4b7a';

/** The path parameter `name` as the UUID inside the public id; an id of another shape or kind is simply not found. */
export function IdParam(name: string, prefix: IdPrefix, noun: string): ParameterDecorator {
  const read = createParamDecorator((_data: unknown, context: ExecutionContext): string => {
    const id = parseId(prefix, String(context.switchToHttp().getRequest<Request>().params[name]));
    if (id === undefined) throw Problem.notFound(noun);
    return id;
  })();
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
