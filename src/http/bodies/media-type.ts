import type { IncomingMessage } from 'node:http';
import { parse } from 'content-type';

export const JSON_TYPE = 'application/json';
export const MULTIPART = 'multipart/form-data';
export const URL_ENCODED = 'application/x-www-form-urlencoded';
export const CSV = 'text/csv';
/** Lines of JSON have no registered type. The first one is the type that responses have. */
export const NDJSON: readonly string[] = ['application/x-ndjson', 'application/ndjson', 'application/jsonl'];

/** Other texts may be long, and contain nothing that helps. */
const SHOWN = /^[\w.+/*-]{1,100}$/;

/** The media type of a body (RFC 9110, 8.3). */
interface MediaType {
  /** In lower case; empty if the request does not say it. */
  type: string;
  parameters: Readonly<Record<string, string>>;
}

/** Reads `Content-Type`. Parameters may stand in any order, and unknown ones mean nothing. */
export function mediaTypeOf({ headers }: Pick<IncomingMessage, 'headers'>): MediaType {
  return parse(headers['content-type'] ?? '');
}

/** Returns the charset of a text if it is not UTF-8. */
export function otherCharset({ parameters }: MediaType): string | undefined {
  const { charset } = parameters;
  return charset === undefined || /^utf-?8$/i.test(charset) ? undefined : charset;
}

/** Continues a sentence that says what should have been sent. */
export function notThis(sent: string): string {
  return SHOWN.test(sent) ? `, not ${sent}` : '';
}
