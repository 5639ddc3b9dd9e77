import type { ValueErrorCode } from './value-errors.js';

/** One invalid value of a request: a dotted path (`fields.1.name`), a stable code and a sentence for people. */
export interface ValueError {
  path: string;
  code: ValueErrorCode;
  message: string;
}

/** Every code of a problem response, with its status and title. Documented at `/problems/{code}`. */
export const PROBLEMS = {
  malformed_json: { status: 400, title: 'Malformed JSON' },
  malformed_csv: { status: 400, title: 'Malformed CSV' },
  malformed_multipart: { status: 400, title: 'Malformed upload' },
  invalid_parameter: { status: 400, title: 'Invalid parameter' },
  unknown_parameter: { status: 400, title: 'Unknown parameter' },
  unknown_field: { status: 400, title: 'Unknown field' },
  unauthorized: { status: 401, title: 'Unauthorized' },
  forbidden: { status: 403, title: 'Forbidden' },
  limit_reached: { status: 403, title: 'Limit reached' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  request_timeout: { status: 408, title: 'Request timeout' },
  conflict: { status: 409, title: 'Conflict' },
  precondition_failed: { status: 412, title: 'Precondition failed' },
  payload_too_large: { status: 413, title: 'Payload too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  validation_failed: { status: 422, title: 'Validation failed' },
  idempotency_key_reused: { status: 422, title: 'Idempotency key reused' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal_error: { status: 500, title: 'Internal error' },
  unavailable: { status: 503, title: 'Service unavailable' },
  insufficient_storage: { status: 507, title: 'Insufficient storage' },
} as const;

export type ProblemCode = keyof typeof PROBLEMS;

/** Codes of errors of values that cannot be stored as they were sent. Other values were checked in their place. */
const UNSTORABLE: ReadonlySet<string> = new Set(['text', 'number']);
/** Codes of errors of values that could not be read, among them the cells of a CSV file. */
const UNREADABLE: ReadonlySet<string> = new Set([...UNSTORABLE, 'format']);

/** What a problem has besides, for programs. */
export interface ProblemMembers {
  /** The name of the limit that is reached, as the configuration calls it. */
  limit?: string;
  /** How much the limit allows, and how much there is. */
  maximum?: number;
  used?: number;
}

/** Can be thrown anywhere. The problem filter sends it as problem details (RFC 9457). */
export class Problem extends Error {
  readonly status: number;

  constructor(
    readonly code: ProblemCode,
    readonly detail: string,
    readonly errors?: ValueError[],
    readonly headers: Record<string, string> = {},
    readonly members: ProblemMembers = {},
  ) {
    super(detail);
    this.status = PROBLEMS[code].status;
  }

  /** 404. It does not reveal whether the resource is missing or belongs to another tenant. */
  static notFound(noun: string, hint = ''): Problem {
    return new Problem('not_found', `There is no such ${noun}.${hint && ` ${hint}`}`);
  }

  /** 401 of a request for a session that it does not have, or that has ended. */
  static notSignedIn(detail: string): Problem {
    return new Problem('unauthorized', detail, undefined, { 'WWW-Authenticate': 'Session' });
  }

  /** 422 with every invalid value. A value that could not be read has no other errors, and is not missing. */
  static invalid(all: readonly ValueError[]): Problem {
    const pathsOf = (codes: ReadonlySet<string>) =>
      new Set(all.flatMap(({ path, code }) => (codes.has(code) ? path : [])));
    const [unstorable, unreadable] = [pathsOf(UNSTORABLE), pathsOf(UNREADABLE)];
    const errors = all.filter(({ path, code }) =>
      code === 'required' ? !unreadable.has(path) : UNSTORABLE.has(code) || !unstorable.has(path),
    );
    const subject = errors.length === 1 ? '1 value is' : `${errors.length} values are`;
    return new Problem('validation_failed', `${subject} not valid.`, errors);
  }

  /** 503 with `Retry-After`, in whole seconds. */
  static unavailable(detail: string, retryAfterSeconds = 1): Problem {
    return new Problem('unavailable', detail, undefined, { 'Retry-After': String(retryAfterSeconds) });
  }

  /** 400 for one query parameter. */
  static parameter(parameter: string, message: string, code: ProblemCode = 'invalid_parameter'): Problem {
    return new Problem(code, message, [{ path: parameter, code, message }]);
  }
}

/** The problem as a response shows it, without the ID of a request. */
export function presentProblem({ code, detail, errors, members }: Problem) {
  const { title, status } = PROBLEMS[code];
  return { type: `/problems/${code}`, title, status, code, detail, ...members, ...(errors && { errors }) };
}
