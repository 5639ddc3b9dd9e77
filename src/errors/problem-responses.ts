import 'reflect-metadata';
import { ApiResponse } from '@nestjs/swagger';
import { ProblemDto } from './problem.dto.js';
import { PROBLEMS, type ProblemCode } from './problem.js';

const CODES = Symbol('problem codes');

/** Documents the problem responses of a route, each with an example. The codes of several decorators on a route add up. */
export function ProblemResponses(...codes: ProblemCode[]): MethodDecorator {
  return (target, method, descriptor) => {
    const handler = descriptor.value as object;
    const earlier = (Reflect.getMetadata(CODES, handler) as ProblemCode[] | undefined) ?? [];
    const added = codes.filter((code) => !earlier.includes(code));
    Reflect.defineMetadata(CODES, [...earlier, ...added], handler);
    for (const status of new Set(added.map((code) => PROBLEMS[code].status))) {
      const ofStatus = (code: ProblemCode) => PROBLEMS[code].status === status;
      problemResponse(status, earlier.filter(ofStatus), added.filter(ofStatus))(target, method, descriptor);
    }
  };
}

const HEADERS: Partial<Record<number, { name: string; description: string; type: string }>> = {
  401: { name: 'WWW-Authenticate', description: '`Bearer`', type: 'string' },
  429: { name: 'Retry-After', description: 'The number of seconds to wait before the next request.', type: 'integer' },
  503: { name: 'Retry-After', description: 'The number of seconds to wait before the next request.', type: 'integer' },
};

/** Swagger joins the descriptions of several decorators, but keeps only the content of the last one. This repeats the earlier codes. */
function problemResponse(status: number, earlier: ProblemCode[], added: ProblemCode[]): MethodDecorator {
  const header = HEADERS[status];
  return ApiResponse({
    status,
    description: added.map((code) => `${PROBLEMS[code].title} (\`${code}\`)`).join(', '),
    ...(header && {
      headers: { [header.name]: { description: header.description, schema: { type: header.type } } },
    }),
    content: {
      'application/problem+json': {
        schema: { $ref: `#/components/schemas/${ProblemDto.name}` },
        examples: Object.fromEntries(
          [...earlier, ...added].map((code) => [code, { $ref: `#/components/examples/${code}` }]),
        ),
      },
    },
  });
}
