import type { ValueError } from '../../errors/problem.js';
import { CheckedBy } from '../../http/bodies/dto.pipe.js';
import type { WebhookOption } from './webhook-option.js';

/** Own headers of a webhook's requests, by name. */
export type OwnHeaders = Readonly<Record<string, string>>;

/** What responses show instead of a value, and what a request sends to keep the stored one. */
const HIDDEN_VALUE = '***';

const MAX_HEADERS = 10;
const MAX_NAME = 100;
const MAX_VALUE = 2_048;
/** A token of RFC 9110. */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Printable ASCII, which every receiver reads in the same way, without spaces at the ends. */
const VALUE = /^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/;
/** Headers of the connection (RFC 9110, 7.6.1), and those that describe the request or its sender. */
const RESERVED = new Set([
  'connection',
  'cookie',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'trailers',
  'transfer-encoding',
  'upgrade',
  'user-agent',
]);
const RESERVED_BEGINNINGS = ['content-', 'trivet-', 'webhook-'];

/** Checks an object of header names and values. */
function checkHeaders(value: unknown, path: string): ValueError[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [{ path, code: 'type', message: `${path} must be an object of names and values.` }];
  }
  const headers = Object.entries(value as Record<string, unknown>);
  if (headers.length > MAX_HEADERS) {
    return [{ path, code: 'length', message: `${path} must have at most ${MAX_HEADERS} headers.` }];
  }
  const names = headers.map(([name]) => name.toLowerCase());
  return headers.flatMap(([name, one], index): ValueError[] => {
    const at = `${path}.${name}`;
    if (names.indexOf(name.toLowerCase()) < index) {
      return [{ path: at, code: 'duplicate', message: `${path} must not name ${name} twice.` }];
    }
    const fault = faultOfName(name);
    if (fault) return [{ path: at, code: 'header', message: `${path} must not contain ${fault}.` }];
    if (typeof one !== 'string') return [{ path: at, code: 'type', message: `${at} must be a string.` }];
    if (one.length > MAX_VALUE) {
      return [{ path: at, code: 'too_long', message: `${at} must have at most ${MAX_VALUE} characters.` }];
    }
    if (VALUE.test(one)) return [];
    return [{ path: at, code: 'format', message: `${at} must be printable ASCII without spaces at its ends.` }];
  });
}

/** Returns what is wrong with a name, as the end of a sentence. */
function faultOfName(name: string): string | undefined {
  if (name.length > MAX_NAME || !NAME.test(name))
    return `"${name.slice(0, MAX_NAME)}", which is not a name of a header`;
  const lower = name.toLowerCase();
  if (RESERVED.has(lower) || RESERVED_BEGINNINGS.some((beginning) => lower.startsWith(beginning))) {
    return `${name}, which the service or the connection sets`;
  }
  return undefined;
}

/**
 * Returns the headers that a request sets, with the stored values of those that it keeps, and an error for each that cannot be kept.
 * `stored` is undefined if there are none, or if they may not be kept: a new receiver must not get what was meant for another one.
 */
function keepHidden(sent: OwnHeaders, stored: OwnHeaders | undefined): { headers: OwnHeaders; errors: ValueError[] } {
  const kept = new Map(Object.entries(stored ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
  const headers: [name: string, value: string][] = [];
  const errors: ValueError[] = [];
  for (const [name, value] of Object.entries(sent)) {
    const actual = value === HIDDEN_VALUE ? kept.get(name.toLowerCase()) : value;
    if (actual !== undefined) headers.push([name, actual]);
    else {
      const path = `headers.${name}`;
      const message = `${path} must be sent with its value, because there is no stored one for this receiver.`;
      errors.push({ path, code: 'required', message });
    }
  }
  // Not by assignment, which would lose a header named `__proto__`.
  return { headers: Object.fromEntries(headers), errors };
}

interface HeaderColumns {
  /** The names of the headers, as they were sent. */
  headerNames: string[] | null;
  /** The headers as JSON (`OwnHeaders`), encrypted by `SecretCipher`. No response contains it. */
  headers: string | null;
}

const schema = {
  type: 'object' as const,
  additionalProperties: { type: 'string' as const, maxLength: MAX_VALUE },
  maxProperties: MAX_HEADERS,
};

/**
 * The option `headers`. A webhook that moves to another origin loses its headers unless they are sent again with their values.
 */
export const HEADERS: WebhookOption<OwnHeaders, HeaderColumns, Record<string, string>> = {
  columns: { headerNames: { type: 'text', name: 'header_names', array: true }, headers: { type: 'text' } },
  validation: [CheckedBy((value, path) => (value === null ? [] : checkHeaders(value, path)))],
  schema: {
    request: {
      ...schema,
      nullable: true,
      example: { Authorization: 'Bearer <token of the receiver>' },
      description:
        'Headers of each delivery, at most 10. Their values are stored encrypted and never returned. An update replaces all of them, and ' +
        'keeps the stored value where it sends `"***"`. If the `url` moves to another origin, they must be sent again. Headers of the ' +
        'connection, `Host`, `Cookie`, `User-Agent`, `Content-*`, `webhook-*` and `trivet-*` are not allowed.',
    },
    response: {
      ...schema,
      example: { Authorization: HIDDEN_VALUE },
      description: 'The names of the own headers. Their values are hidden.',
    },
  },
  write(sent, { webhook, secrets, isMoved }) {
    if (sent) {
      const { headers, errors } = keepHidden(sent, isMoved ? undefined : secrets.readHeaders(webhook));
      const columns = { headerNames: Object.keys(headers), headers: secrets.encryptHeaders(webhook, headers) };
      return { columns, errors };
    }
    return { columns: sent === null || isMoved ? { headerNames: null, headers: null } : {} };
  },
  present({ headerNames }) {
    return headerNames === null ? undefined : Object.fromEntries(headerNames.map((name) => [name, HIDDEN_VALUE]));
  },
};
