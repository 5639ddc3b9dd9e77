import type { IncomingHttpHeaders } from 'node:http';

/** What a request says about the visitor. No address is stored. */
export interface Visitor {
  /** The header `Origin`; undefined for programs. */
  origin: string | undefined;
  /** The origin of the page: that of `Origin`, else of `Referer`. Null if neither is an http or https URL. */
  page: string | null;
  /** The first language tag of `Accept-Language`; null if it has none. */
  locale: string | null;
}

const MAX_ORIGIN = 255;
/** A language tag (BCP 47) at the beginning of the header. */
const TAG = /^\s*([A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8}){0,7})\s*(?:[,;]|$)/;

export function readVisitor(headers: IncomingHttpHeaders): Visitor {
  const { origin, referer } = headers;
  const page = [origin, referer].map(originOf).find((found) => found !== undefined) ?? null;
  return { origin, page, locale: TAG.exec(headers['accept-language'] ?? '')?.[1] ?? null };
}

function originOf(text: string | undefined): string | undefined {
  if (text === undefined || !URL.canParse(text)) return undefined;
  const { protocol, origin } = new URL(text);
  return /^https?:$/.test(protocol) && origin.length <= MAX_ORIGIN ? origin : undefined;
}
