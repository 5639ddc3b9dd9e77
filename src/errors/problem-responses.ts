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
  return documentProblems(codes, (earlier) => [...new Set([...earlier, ...codes])]);
}

/** Documents that a route never returns this code, although decorators below this one say so. It has others with the same status. */
export function NoProblemResponse(code: ProblemCode): MethodDecorator {
  return documentProblems([code], (earlier) => earlier.filter((one) => one !== code));
}

/** Documents the codes that `change` returns. It changes only those of `codes`. */
function documentProblems(
  codes: readonly ProblemCode[],
  change: (earlier: readonly ProblemCode[]) => ProblemCode[],
): MethodDecorator {
  return (target, method, descriptor) => {
    const handler = descriptor.value as object;
    const all = change((Reflect.getMetadata(CODES, handler) as ProblemCode[] | undefined) ?? []);
    Reflect.defineMetadata(CODES, all, handler);
    for (const status of new Set(codes.map((code) => PROBLEMS[code].status))) {
      // Swagger keeps only the last decorator's content of a status, so each one repeats the earlier codes.
      const ofStatus = all.filter((code) => PROBLEMS[code].status === status);
      ApiResponse({ status, [PROBLEM_CODES]: ofStatus } as ApiResponseOptions)(target, method, descriptor);
    }
  };
}
