import { isRecord, supplied } from '../record.js';
import { isHttpUrl, isLocalPath } from './url.js';

/**
 * Files of the service in the values of media fields. Such a value holds the path of the file (`/media/{tenant}/{id}.png`, with a query if
 * it has one) and not its URL, because the base of URLs (`PUBLIC_URL`) may change. In the JSON of values, the path is marked: its first slash
 * is written as an escape, which `JSON.stringify` never does. So no other text can contain the mark, and responses put the base in its place
 * without parsing the JSON.
 */

/** Two NULs mark what a response shows in full. */
const UNWRITTEN = /"\\u0000(\\u0000)?(?=media\/)/g;
const MARK = /"\\u002[fF](?=media\/)/g;
const ESCAPE = '\\u002';

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

/** Returns the URL of a media value if it may be that of a file. */
export function mediaUrlOf(value: unknown): MediaUrl | undefined {
  const url = isRecord(value) ? supplied(value, 'url') : undefined;
  const split = typeof url === 'string' ? splitMediaUrl(url) : undefined;
  return split && (isHttpUrl(url as string) || isLocalPath(url as string)) ? split : undefined;
}

/**
 * Returns a media value whose path is marked in the JSON that is made of it (`markWritten`). Any other value stays as it is. Until then, a NUL
 * stands for the first slash. No other text has one, because it could not be stored. `isFull`: a response shows the value in full.
 */
export function markPath(value: unknown, isFull = false): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { url } = value as { url?: unknown };
  if (typeof url !== 'string' || !FILE.test(url)) return value;
  return { ...value, url: `${isFull ? '\0\0' : '\0'}${url.slice(1)}` };
}

/** Marks the paths in JSON that was made of values with `markPath`. */
export function markWritten(json: string): string {
  return json.replace(UNWRITTEN, (_mark, isFull: string | undefined) => (isFull ? '"\\u002F' : '"\\u002f'));
}

/** Whether JSON has a marked path. */
export function isMarked(json: string): boolean {
  return json.includes(ESCAPE) && json.search(MARK) >= 0;
}

/** Returns the JSON with URLs for the marked paths. */
export function withMediaUrls(json: string, base: string): string {
  return json.includes(ESCAPE) ? json.replace(MARK, () => `"${base}/`) : json;
}

/** A media value in JSON: the ID of the file, and the position of the brace that ends the value. */
export interface MarkedMedia {
  mediaId: string;
  end: number;
}

/** Finds the media values with marked paths in JSON of entries; all of them, or only those that are shown in full. */
export function* markedMedia(json: string, isAll: boolean): Generator<MarkedMedia> {
  const path = isAll ? ANY_PATH : FULL_PATH;
  const found = new RegExp(path, 'g');
  const rest = new RegExp(ALT, 'y');
  for (let match = found.exec(json); match; match = found.exec(json)) {
    rest.lastIndex = found.lastIndex;
    const end = found.lastIndex + (rest.exec(json)?.[0].length ?? 0);
    if (json[end] === '}') yield { mediaId: match[1] ?? '', end };
  }
}

const PATH = String.raw`media\/ten_[a-z0-9]{1,40}\/(med_[0-9a-z]{26})[^"]*"`;
const ANY_PATH = String.raw`"\\u002[fF]${PATH}`;
const FULL_PATH = String.raw`"\\u002F${PATH}`;
/** What follows the URL, if the alternative text does. */
const ALT = String.raw`,"alt":"(?:[^"\\]|\\.)*"`;
