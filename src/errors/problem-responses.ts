import 'reflect-metadata';
import { ApiResponse, type ApiResponseOptions } from '@nestjs/swagger';
import { PROBLEMS, type ProblemCode } from './problem.js';

const CODES = Symbol('problem codes');

/**
 * The codes of a documented response. `openapi/shared-responses.ts` replaces every response that has them by the shared one of its status,
 * and lists the codes at the operation.
 */
export const PROBLEM_CODES = 'x-problem-codes';

/** Documents the problem responses of a route. The codes of several decorators on a route add up. */
export function ProblemResponses(...codes: ProblemCode[]): MethodDecorator {
  return (target, method, descriptor) => {
    const handler = descriptor.value as object;
    const earlier = (Reflect.getMetadata(CODES, handler) as ProblemCode[] | undefined) ?? [];
    const all = [...new Set([...earlier, ...codes])];
    Reflect.defineMetadata(CODES, all, handler);
    for (const status of new Set(codes.map((code) => PROBLEMS[code].status))) {
      // Swagger keeps only the last decorator's content of a status, so each one repeats the earlier codes.
      const ofStatus = all.filter((code) => PROBLEMS[code].status === status);
      ApiResponse({ status, [PROBLEM_CODES]: ofStatus } as ApiResponseOptions)(target, method, descriptor);
    }
  };
}
