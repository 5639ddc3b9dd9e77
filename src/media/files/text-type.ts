/** A media type and the extension that goes with it. */
export interface FileType {
  mime: string;
  ext: string;
}

const PLAIN: FileType = { mime: 'text/plain', ext: 'txt' };
const HTML: FileType = { mime: 'text/html', ext: 'html' };
const SVG: FileType = { mime: 'image/svg+xml', ext: 'svg' };
const JSON_TYPE: FileType = { mime: 'application/json', ext: 'json' };
const CSV: FileType = { mime: 'text/csv', ext: 'csv' };

/** Bytes that do not occur in text (WHATWG MIME Sniffing, 3): control characters except tab, line breaks, form feed and escape. */
const BINARY = new Set([...Array(0x20).keys()].filter((byte) => ![0x09, 0x0a, 0x0c, 0x0d, 0x1b].includes(byte)));

/** The beginnings that browsers recognize as HTML (WHATWG MIME Sniffing, 7.1). */
const HTML_START =
  /^(?:<!--|<(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p)(?=[\s>/]|$))/i;
/** The parts that may precede the root of an XML document. */
const PROLOG = /\s*(?:<\?[^>]*\?>|<!--[^]*?-->|<!doctype\s[^>[]*(?:\[[^]*?\]\s*)?>)/iy;
const SVG_START = /\s*<(?:[\w.-]+:)?svg(?=[\s>/])/y;

/** Whether a file with this beginning could be text. */
export function looksLikeText(head: Buffer): boolean {
  return isUtf16(head) || !head.some((byte) => BINARY.has(byte));
}

/**
 * Returns the type of a text. `head` is its beginning, or all of it if `whole` is true. Only the bytes decide whether a browser could run
 * it. The file name decides only whether harmless text that looks like a table is CSV.
 */
export function typeOfText(head: Buffer, whole: boolean, filename: string): FileType {
  const text = decodeText(head);
  if (isSvg(text)) return SVG;
  if (HTML_START.test(text.trimStart())) return HTML;
  if (whole && isJson(text)) return JSON_TYPE;
  if (/\.(csv|tsv)$/i.test(filename) && isTable(text)) return CSV;
  return PLAIN;
}

/** Decodes the text as UTF-16 if it begins with that byte order mark, otherwise as UTF-8. */
export function decodeText(head: Buffer): string {
  const encoding = !isUtf16(head) ? 'utf-8' : head[0] === 0xff ? 'utf-16le' : 'utf-16be';
  return new TextDecoder(encoding).decode(head);
}

/** Whether the root element of an XML text is `svg`. */
export function isSvg(text: string): boolean {
  let at = 0;
  for (;;) {
    PROLOG.lastIndex = at;
    if (!PROLOG.test(text)) break;
    at = PROLOG.lastIndex;
  }
  SVG_START.lastIndex = at;
  return SVG_START.test(text);
}

/** Whether the text begins with the byte order mark of UTF-16. */
export function isUtf16(head: Buffer): boolean {
  return (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
}

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Whether the first line contains one of the usual delimiters. */
function isTable(text: string): boolean {
  const [first = ''] = text.split(/\r?\n/, 1);
  return /[,;\t|]/.test(first);
}
