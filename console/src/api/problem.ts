/** One invalid value of a request: a dotted path and a sentence for people. */
interface ValueError {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

export interface ProblemBody {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly errors?: readonly ValueError[];
  readonly request_id?: string;
}

/** What went wrong with a request: the service's problem details (RFC 9457), or that no answer came. */
export class ApiProblem extends Error {
  readonly status: number;
  readonly code: string;
  readonly errors: readonly ValueError[];
  /** Which request an operator would look for in the log. */
  readonly requestId: string | undefined;

  constructor({ status, code, detail, errors = [], request_id: requestId }: ProblemBody) {
    super(detail);
    this.status = status;
    this.code = code;
    this.errors = errors;
    this.requestId = requestId;
  }
}

/** No answer came: the connection is down, or the service is. */
export function unreachable(): ApiProblem {
  return new ApiProblem({
    status: 0,
    code: 'unreachable',
    detail: 'The service cannot be reached. Check your connection, and try again.',
  });
}

/** Reads the problem of a response, which a proxy may have sent. */
export async function problemOf(response: Response): Promise<ApiProblem> {
  return problemIn(response.status, await response.text().catch(() => ''));
}

/** Reads the problem of an answer with this status and text. */
export function problemIn(status: number, text: string): ApiProblem {
  const body = parsed(text);
  if (isProblem(body)) return new ApiProblem(body);
  const detail = `The service answered with the status ${status}. Try again in a minute.`;
  return new ApiProblem({ status, code: 'unknown', detail });
}

/** The answer ended before it was complete. */
export function brokenOff(): ApiProblem {
  return new ApiProblem({ status: 0, code: 'unreachable', detail: 'The answer broke off. Try again.' });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isProblem(body: unknown): body is ProblemBody {
  return typeof body === 'object' && body !== null && 'detail' in body && 'code' in body && 'status' in body;
}
