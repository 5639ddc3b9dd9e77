/** One invalid value of a request: its dotted path, a stable code, and a sentence for people. */
export interface ValueError {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

interface ErrorValues {
  readonly status?: number;
  readonly code: string;
  readonly errors?: readonly ValueError[] | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly problem?: Readonly<Record<string, unknown>> | undefined;
  readonly cause?: unknown;
}

/** Why a call failed: the service refused it, or no usable answer came. Aborted calls throw the reason of their signal instead. */
export class TrivetError extends Error {
  override readonly name = 'TrivetError';
  /** The HTTP status; 0 if no answer came. */
  readonly status: number;
  /** A code of the service's problem pages, or one of the client: `network`, `timeout`, `redirected`, `invalid_response`, `invalid_signature`. */
  readonly code: string;
  /** Every invalid value of the request. */
  readonly errors: readonly ValueError[];
  /** The ID of the request in the service's log. */
  readonly requestId: string | undefined;
  /** Seconds after which the service is worth asking again. */
  readonly retryAfter: number | undefined;
  /** The whole problem document (RFC 9457), if the service sent one. */
  readonly problem: Readonly<Record<string, unknown>> | undefined;

  constructor(message: string, values: ErrorValues) {
    super(message, 'cause' in values ? { cause: values.cause } : undefined);
    this.status = values.status ?? 0;
    this.code = values.code;
    this.errors = values.errors ?? [];
    this.requestId = values.requestId;
    this.retryAfter = values.retryAfter;
    this.problem = values.problem;
  }
}

/** The error of an answer that is not a success. `text` is its body, which a proxy may have written. */
export function refusal(response: Response, text: string, sentId: string | undefined): TrivetError {
  const problem = problemIn(text);
  const { status, statusText } = response;
  const { code, detail, errors, request_id: id } = problem ?? {};
  const message = `The service answered with the status ${status}${statusText && ` (${statusText})`}.`;
  return new TrivetError(typeof detail === 'string' ? detail : message, {
    status,
    code: typeof code === 'string' ? code : `http_${status}`,
    errors: Array.isArray(errors) ? (errors as ValueError[]) : [],
    requestId: typeof id === 'string' ? id : requestIdOf(response, sentId),
    retryAfter: secondsUntil(response.headers.get('retry-after')),
    problem,
  });
}

export function requestIdOf(response: Response, sentId: string | undefined): string | undefined {
  return response.headers.get('x-request-id') ?? sentId;
}

/** Reads a Retry-After: seconds, or a date. */
function secondsUntil(value: string | null): number | undefined {
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  const time = Date.parse(value);
  return Number.isNaN(time) ? undefined : Math.max(0, Math.ceil((time - Date.now()) / 1000));
}

function problemIn(text: string): Record<string, unknown> | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
