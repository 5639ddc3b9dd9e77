import { ValueError } from '../errors/problem.js';
import { faultOfHttpUrl } from '../fields/formats/url.js';
import { isRecord } from '../fields/record.js';

/** Where the token of a preview link is put. A field of this name cannot be named. */
const TOKEN = 'token';
/** Types whose values are no text that a URL could have. */
const UNWRITTEN: ReadonlySet<string> = new Set(['rich_text', 'media', 'json', 'group', 'blocks']);

const BRACES = /\{([^{}]*)\}/g;
const HOST = /^[^:]*:\/\/[^/?#]*/;

/**
 * Returns every error of a content type's `preview_url`: an http or https URL in which names in braces stand for the token of a preview link, and
 * for values of `fields`, which may be invalid themselves. The host is fixed, because only origins that the tenant allows are framed.
 */
export function checkPreviewUrl(value: unknown, fields: readonly unknown[]): ValueError[] {
  const fault = (message: string): ValueError[] => [{ path: 'preview_url', code: 'format', message }];
  if (typeof value !== 'string') {
    return [{ path: 'preview_url', code: 'type', message: 'preview_url must be a string.' }];
  }
  const filled = value.replace(BRACES, 'x');
  if (/[{}]/.test(filled)) return fault('preview_url must have its braces in pairs, each around a name: {slug}.');
  const wrong = faultOfHttpUrl(filled) ?? faultOfHttpUrl(value.replace(/[{}]/g, 'x'));
  if (wrong !== undefined) return fault(`preview_url must be an http or https URL, but ${wrong}.`);
  if (HOST.exec(value)?.[0].includes('{')) return fault('preview_url must not have braces in its host.');
  const named = new Set([...value.matchAll(BRACES)].map(([, name = '']) => name));
  return [...named].flatMap((name) => (isKnown(name, fields) ? [] : fault(unknownName(name))));
}

function isKnown(name: string, fields: readonly unknown[]): boolean {
  if (name === TOKEN) return true;
  const field = fields.filter(isRecord).find((one) => one['name'] === name);
  return field !== undefined && !UNWRITTEN.has(String(field['type'])) && field['multiple'] !== true;
}

function unknownName(name: string): string {
  return `preview_url names {${name.slice(0, 64)}}, which is neither {token} nor a field whose value is one text or number.`;
}
