import { STATUS_CODES } from 'node:http';
import type { OpenAPIObject } from '@nestjs/swagger';
import { PROBLEM_CODES } from '../errors/problem-responses.js';
import { PROBLEMS, type ProblemCode } from '../errors/problem.js';
import type { DocumentedOperation } from './operations.js';

type Responses = NonNullable<NonNullable<OpenAPIObject['components']>['responses']>;
type ResponseObject = Responses[string];

const CODES = Object.keys(PROBLEMS) as ProblemCode[];

const SECONDS_TO_WAIT = {
  'Retry-After': {
    description: 'The number of seconds to wait before the next request.',
    schema: { type: 'integer' },
  },
} as const;

const HEADERS: Partial<Record<number, object>> = {
  409: {
    'Retry-After': {
      ...SECONDS_TO_WAIT['Retry-After'],
      description:
        'Only if a request with the same `Idempotency-Key` is still in progress: the number of seconds to wait.',
    },
  },
  401: { 'WWW-Authenticate': { description: '`Bearer`', schema: { type: 'string' } } },
  429: SECONDS_TO_WAIT,
  503: SECONDS_TO_WAIT,
};

/**
 * Replaces the problem responses of the operations by one component for each status, and lists the codes of each operation in
 * `x-problem-codes`. Where a status has several codes, the description of the operation names those that it can return. Returns the
 * components and the codes that are in use.
 */
export function shareProblemResponses(operations: readonly DocumentedOperation[]): {
  responses: Responses;
  codes: ProblemCode[];
} {
  const used = new Set<ProblemCode>();
  for (const operation of operations) {
    const codes = takeCodes(operation);
    for (const code of codes) used.add(code);
    operation[PROBLEM_CODES] = inOrder(codes);
    operation.description = describe(operation.description, codes);
  }
  const codes = inOrder([...used]);
  const statuses = [...new Set(codes.map((code) => PROBLEMS[code].status))];
  return { codes, responses: Object.fromEntries(statuses.map((status) => [nameOf(status), component(status, codes)])) };
}

/** Returns the codes of the operation's responses, and replaces these responses by references. */
function takeCodes({ responses }: DocumentedOperation): ProblemCode[] {
  return Object.entries(responses).flatMap(([status, response]) => {
    const codes = (response as { [PROBLEM_CODES]?: ProblemCode[] } | undefined)?.[PROBLEM_CODES];
    if (!codes) return [];
    // The only code was taken back (`NoProblemResponse`).
    if (codes.length === 0) delete responses[status];
    else responses[status] = { $ref: `#/components/responses/${nameOf(Number(status))}` };
    return codes;
  });
}

function describe(description: string | undefined, codes: readonly ProblemCode[]): string | undefined {
  const statuses = new Set(codes.map((code) => PROBLEMS[code].status));
  const sentences = [...statuses].map((status) => {
    const known = codesOf(status);
    const links = known.filter((code) => codes.includes(code)).map(link);
    return known.length > 1 ? `A ${status} response has the code ${list(links)}.` : '';
  });
  return [description, ...sentences].filter(Boolean).join('\n\n') || undefined;
}

function component(status: number, used: readonly ProblemCode[]): ResponseObject {
  const codes = used.filter((code) => PROBLEMS[code].status === status);
  const headers = HEADERS[status];
  return {
    description:
      codes.length === 1
        ? `${titleOf(status)} (${codes.map(link).join('')}).`
        : `${titleOf(status)}. The description of the operation names the codes that it can return.`,
    ...(headers && { headers }),
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  } as ResponseObject;
}

/** `NotFound` for 404. A status with several codes, such as 400, has the name of the status. */
function nameOf(status: number): string {
  return titleOf(status).replace(/ (\w)/g, (_, letter: string) => letter.toUpperCase());
}

function titleOf(status: number): string {
  const [code, ...others] = codesOf(status);
  if (code && others.length === 0) return PROBLEMS[code].title;
  const [first = '', ...rest] = (STATUS_CODES[status] ?? '').toLowerCase();
  return [first.toUpperCase(), ...rest].join('');
}

function codesOf(status: number): ProblemCode[] {
  return CODES.filter((code) => PROBLEMS[code].status === status);
}

function inOrder(codes: readonly ProblemCode[]): ProblemCode[] {
  return CODES.filter((code) => codes.includes(code));
}

/** A link to the page that explains the code. */
function link(code: ProblemCode): string {
  return `[\`${code}\`](/problems/${code})`;
}

function list(items: readonly string[]): string {
  return items.length > 1 ? `${items.slice(0, -1).join(', ')} or ${items.at(-1)}` : items.join('');
}
