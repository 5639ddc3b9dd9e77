/** Finds the faults of a response: {kind, text}. The kind names the fault and identifies a finding. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { STATUS_CODES } from 'node:http';
import { isSuccess } from './coverage.mjs';

/** No response may take longer. */
export const BOUND_MS = 5_000;

/** Internal details of the service. No request contains any of them. */
const INTERNALS = [
  /(?:\n|\\n)\s+at \S+ \(/,
  /node_modules/,
  /node:internal/,
  /\b(?:QueryFailedError|TypeError|ReferenceError|RangeError|SyntaxError|DatabaseError|AssertionError)\b/,
  /\b(?:violates (?:unique|foreign|check|not-null)|relation "|column "|syntax error at or near|invalid input syntax|duplicate key value)/,
  /\b(?:entry_values|entry_words|entry_locale_words|search_words|entry_uniques|pending_events|delivery_attempts|orphaned_files|pg_catalog|_pkey)\b/,
  /\b(?:ECONNREFUSED|ECONNRESET|ENOENT|EACCES|ENOSPC|EMFILE)\b/,
];

export class Judge {
  constructor({ document, secrets, places }) {
    this.document = document;
    this.secrets = secrets;
    /** Folders of this machine. */
    this.places = places;
  }

  /** `sent` is the case with resolved placeholders, `target` its path and query. */
  faultsOf(sent, target, answer) {
    const match = this.document.match(sent.method, target);
    const json = jsonOf(answer);
    const faults = [
      ...this.statusFaults(sent, answer),
      ...this.documentFaults(sent, match, answer, json),
      ...this.problemFaults(answer, json),
      ...this.headerFaults(answer),
      ...this.leaks(answer),
    ];
    return faults;
  }

  statusFaults({ expect, flavour }, { status, body }) {
    if (status >= 500 && status !== 503) return [{ kind: `status ${status}`, text: `The status is ${status}.` }];
    const success = expect === 'success' && !(isSuccess(status) || status === 304 || status === 503);
    if (success && flavour === 'valid') {
      return [{ kind: `a valid request is rejected: ${codesOf(body)}`, text: `A valid request got ${status}.` }];
    }
    if (success) return [{ kind: 'refused', text: `A correct request got ${status}.` }];
    if (Array.isArray(expect) && ![...expect, 429, 503].includes(status)) {
      return [
        { kind: `expected ${expect.join()}`, text: `The status is ${status}; it must be ${expect.join(' or ')}.` },
      ];
    }
    return [];
  }

  documentFaults(sent, match, answer, json) {
    if (sent.operation.startsWith('(') && !match.operation && answer.status < 500) return [];
    return this.document
      .faultsOf(match, { method: sent.method, answer, json })
      .map((text) => ({ kind: text.replaceAll(/\/\d+\b/g, '/…').slice(0, 120), text }));
  }

  /** Checks that a problem is complete and agrees with the response's status and headers. */
  problemFaults({ status, headers }, json) {
    const type = headers.get('content-type')?.[0] ?? '';
    if (status < 400 || !type.startsWith('application/problem+json') || json === undefined) return [];
    const faults = [];
    const wrong = (kind) => faults.push({ kind, text: `${kind}: ${JSON.stringify(json).slice(0, 300)}` });
    if (json.status !== status) wrong('the status in the problem differs from that of the response');
    if (json.type !== `/problems/${json.code}`) wrong('the type of the problem does not match its code');
    if (json.request_id !== headers.get('x-request-id')?.[0])
      wrong('the request ID in the problem differs from X-Request-Id');
    if (status === 401 && !headers.has('www-authenticate')) wrong('401 without WWW-Authenticate');
    if (status === 405 && !headers.has('allow')) wrong('405 without Allow');
    if ([429, 503].includes(status) && !/^\d+$/.test(headers.get('retry-after')?.[0] ?? ''))
      wrong(`${status} without Retry-After`);
    return faults;
  }

  headerFaults({ status, reason, headers }) {
    const faults = [];
    if (!headers.has('x-request-id'))
      faults.push({ kind: 'no X-Request-Id', text: 'The response has no X-Request-Id.' });
    if (status >= 400 && status !== 416 && !headers.has('content-type')) {
      faults.push({
        kind: 'an error without a body',
        text: `${status} ${reason ?? STATUS_CODES[status]} has no Content-Type.`,
      });
    }
    return faults;
  }

  leaks({ headers, body, status }) {
    const text = `${[...headers].flat(2).join('\n')}\n${body.subarray(0, 200_000).toString('latin1')}`;
    const secret = this.secrets.find((one) => text.includes(one));
    if (secret)
      return [{ kind: 'a secret in the response', text: `The response contains the secret ${secret.slice(0, 8)}…` }];
    const place = this.places.find((one) => text.includes(one));
    if (place) return [{ kind: 'a path of the machine in the response', text: `The response contains ${place}` }];
    // Stored data may contain any text. Errors are written by the service.
    const inside = status >= 400 && INTERNALS.find((pattern) => pattern.test(text));
    return inside
      ? [{ kind: 'internal details in the response', text: `The response matches ${inside}: ${inside.exec(text)[0]}` }]
      : [];
  }
}

export function jsonOf({ headers, body }) {
  if (!/json/.test(headers.get('content-type')?.[0] ?? '')) return undefined;
  try {
    return JSON.parse(plainBody(headers, body).toString());
  } catch {
    return undefined;
  }
}

/** Large responses that never change are compressed for clients that ask for it. */
function plainBody(headers, body) {
  const encoding = headers.get('content-encoding')?.[0];
  return encoding === 'gzip' ? gunzipSync(body) : encoding === 'br' ? brotliDecompressSync(body) : body;
}

function codesOf(body) {
  try {
    const { code, errors = [] } = JSON.parse(body.toString());
    return [code, ...new Set(errors.map((error) => error.code))].join(' ');
  } catch {
    return 'no problem';
  }
}
