import { type ProblemMembers, PROBLEMS, type ProblemCode, type ValueError } from './problem.js';

/** Example content of each problem, for the OpenAPI document. */
const EXAMPLES: Record<ProblemCode, ProblemMembers & { detail: string; errors?: ValueError[] }> = {
  malformed_json: { detail: 'The body is not valid JSON: line 3, column 1: a comma must not follow the last member.' },
  malformed_csv: { detail: 'A quotation mark is missing, or in a wrong place.' },
  malformed_multipart: { detail: 'The body is not valid multipart/form-data.' },
  invalid_parameter: {
    detail: 'per_page must be an integer from 1 to 100.',
    errors: [{ path: 'per_page', code: 'invalid_parameter', message: 'per_page must be an integer from 1 to 100.' }],
  },
  unknown_parameter: {
    detail:
      'limit is not a parameter of this endpoint. Did you mean per_page? Its parameters are page, per_page, cursor.',
    errors: [
      {
        path: 'limit',
        code: 'unknown_parameter',
        message: 'limit is not a parameter of this endpoint. Did you mean per_page?',
      },
    ],
  },
  unknown_field: {
    detail: 'There is no field titel. Did you mean title? The possible names are title, body, id, status, created_at.',
    errors: [{ path: 'sort', code: 'unknown_field', message: 'There is no field titel. Did you mean title?' }],
  },
  unauthorized: { detail: 'An API key is required. Send it in the header Authorization: Bearer <API_KEY>.' },
  forbidden: { detail: 'This request lacks the scope content:write (or write or *). It has only content:read.' },
  limit_reached: {
    detail: 'The limit of 1000 entries is reached: the tenant has 999, and this would add 2.',
    limit: 'entries',
    maximum: 1000,
    used: 999,
  },
  not_found: { detail: 'There is no such resource.' },
  method_not_allowed: { detail: 'This path supports only the methods GET, HEAD, POST.' },
  conflict: {
    detail: 'The slug article is taken.',
    errors: [{ path: 'slug', code: 'taken', message: 'The slug article is taken.' }],
  },
  precondition_failed: { detail: 'The entry has changed since the version that If-Match names.' },
  request_timeout: { detail: 'The body of the request took too long to arrive.' },
  payload_too_large: { detail: 'The body is larger than 1048576 bytes.' },
  unsupported_media_type: { detail: 'Send the body as JSON, with Content-Type: application/json, not text/plain.' },
  validation_failed: {
    detail: '2 values are not valid.',
    errors: [
      { path: 'fields.title', code: 'required', message: 'title is required.' },
      { path: 'fields.price', code: 'type', message: 'price must be a number.' },
    ],
  },
  idempotency_key_reused: {
    detail: 'This Idempotency-Key was used for another request within the last 24 hours. Use a new key.',
  },
  rate_limited: {
    detail: 'The limit of 10 requests per minute was exceeded.',
    limit: 'requests_per_minute',
    maximum: 10,
  },
  internal_error: { detail: 'The service could not process the request because of an internal error.' },
  unavailable: { detail: 'The service is not available right now.' },
  insufficient_storage: { detail: 'The storage for media files is full.' },
};

/** Returns an example response for each code: the `components.examples` that the documented responses refer to. */
export function problemExamples(codes: readonly ProblemCode[]): Record<string, { summary: string; value: object }> {
  return Object.fromEntries(
    codes.map((code) => [code, { summary: PROBLEMS[code].title, value: problemExample(code) }]),
  );
}

/** Returns an example response for a code. */
export function problemExample(code: ProblemCode): object {
  const { status, title } = PROBLEMS[code];
  const request_id = '7b3f1c9e-52a4-4d0b-9a86-0f6f1d2c8e35';
  return { type: `/problems/${code}`, title, status, code, ...EXAMPLES[code], request_id };
}
