/**
 * Files of the service in the values of media fields. Such a value holds the path of the file (`/media/{tenant}/{id}.png`, with a query if
 * it has one) and not its URL, because the base of URLs (`PUBLIC_URL`) may change. In the JSON of values, the path is marked: its first slash
 * is written as an escape, which `JSON.stringify` never does. So no other text can contain the mark, and responses put the base in its place
 * without parsing the JSON.
 */

const JSON_OF_UNWRITTEN = '"\\u0000media/';
const MARK = '"\\u002fmedia/';
const ESCAPED_SLASH = '\\u002f';

/** What the paths of all files begin with. */
export const MEDIA = '/media/ten_';

/** Tenant, ID and extension, and what may follow them in a URL. */
const FILE = /^\/media\/ten_[a-z0-9]{1,40}\/med_[0-9a-z]{26}(?:\.[0-9a-z]+)?(?:[?#]|$)/;

/** A URL that may be that of a file: what is before the path, and the path. */
export interface MediaUrl {
  base: string;
  path: string;
}

/** Splits a URL that ends like that of a file. Whether the base is one of the service is left to the caller. */
export function splitMediaUrl(url: string): MediaUrl | undefined {
  const at = url.indexOf(MEDIA);
  if (at < 0) return undefined;
  const path = url.slice(at);
  return FILE.test(path) ? { base: url.slice(0, at), path } : undefined;
}

/**
 * Returns a media value whose path is marked in the JSON that is made of it (`markWritten`). Any other value stays as it is. Until then, a NUL
 * stands for the first slash. No other text has one, because it could not be stored.
 */
export function markPath(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { url } = value as { url?: unknown };
  return typeof url === 'string' && FILE.test(url) ? { ...value, url: `\0${url.slice(1)}` } : value;
}

/** Marks the paths in JSON that was made of values with `markPath`. */
export function markWritten(json: string): string {
  return json.replaceAll(JSON_OF_UNWRITTEN, MARK);
}

/** Returns the JSON with URLs for the marked paths. */
export function withMediaUrls(json: string, base: string): string {
  return json.includes(ESCAPED_SLASH) ? json.replaceAll(MARK, () => `"${base}/media/`) : json;
}
